import { JsonlRepo } from "@coppice/session";

const repo = new JsonlRepo({ directory: "/tmp/s5", fsync: "off" });
for (let i = 0; i < 1; i++) {
  const t = performance.now();
  const c = process.cpuUsage();
  const s = await repo.open("/tmp/s5/100000.jsonl", { readOnly: true });
  const t1 = performance.now();
  await s.buildContext();
  const t2 = performance.now();
  await s.close();
  const u = process.cpuUsage(c);
  console.log("open", (t1 - t).toFixed(1), "ctx", (t2 - t1).toFixed(1), "cpu", (u.user + u.system) / 1000);
}
