import { defineEntry, MemoryRepo, projectorsOf } from "@coppice/session";

interface Reminder {
  readonly text: string;
}

// An own kind of entry: stored with the session, seen by the model as its projector says.
const reminder = defineEntry<Reminder>({
  customType: "example.reminder",
  parse: (data) => (typeof (data as Reminder).text === "string" ? (data as Reminder) : undefined),
  toMessages: ({ text }) => [{ role: "user", content: `Remember: ${text}`, timestamp: 0 }],
});

const repo = new MemoryRepo({ projectors: projectorsOf([reminder]) });
const session = await repo.create({ cwd: "/w" });
await session.appendBatch([reminder.draft({ text: "never push to main" })]);

console.log((await session.buildContext()).messages);
console.log((await session.getEntries()).map(reminder.read));
