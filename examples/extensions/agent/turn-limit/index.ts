import type { Extension } from "@coppice/coding-agent";

/** Turns that a prompt may take. */
const MOST_TURNS = 20;

/** Ends a run that goes on and on; shortly before, the model is told to come to an end. */
const turnLimit: Extension = {
  name: "turn-limit",
  setup(api) {
    let turns = 0;
    api.on("agent_start", () => {
      turns = 0;
    });
    api.on("turn_start", () => {
      turns++;
    });
    api.on("context", ({ messages }) => {
      if (turns !== MOST_TURNS) return undefined;
      const content = `This is turn ${turns} of at most ${MOST_TURNS}: say what is done and what is left.`;
      return { messages: [...messages, { role: "user", content, timestamp: 0 }] };
    });
    api.on("shouldStopAfterTurn", () => turns >= MOST_TURNS);
  },
};

export default turnLimit;
