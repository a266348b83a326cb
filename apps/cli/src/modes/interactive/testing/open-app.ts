import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { parseArguments } from "../../../args.ts";
import type { CliContext } from "../../../cli-context.ts";
import { knownModelsOf } from "../../../compose.ts";
import { readEnvironment } from "../../../env.ts";
import { NOBODY } from "../../../person.ts";
import { placesWithSettings } from "../../../places-with-settings.ts";
import { createStyle } from "../../../render/style.ts";
import { createStopSignal } from "../../../stop-signal.ts";
import { App } from "../app.ts";
import { FirstScreen } from "../first-screen.ts";
import { Layout } from "../layout.ts";
import { openAgent } from "../open-agent.ts";
import { OwnScreen } from "../own-screen.ts";
import { Palette } from "../theme.ts";
import { createFakeTerminal } from "./fake-terminal.ts";

async function contextIn(home: string): Promise<CliContext> {
  const nothing = () => undefined;
  const environment = readEnvironment({ HOME: home, PATH: "" });
  const sink = { isTerminal: false, columns: undefined, write: async () => {} };
  const stop = createStopSignal({ on: nothing, off: nothing, exit: nothing });
  onTestFinished(() => stop.release());
  return {
    args: parseArguments(["--model", "demo"]),
    version: "0.0.0",
    ...{ environment, cwd: home, stop, person: NOBODY, stdout: sink, stderr: sink },
    status: { show: nothing, erase: nothing },
    places: await placesWithSettings({ environment, cwd: home, sessionDirectory: undefined }),
    style: createStyle(false),
  };
}

/** The application with the offline model, on a terminal that shows nothing, in a home of its own. */
export async function openApp() {
  const home = await realpath(await mkdtemp(join(tmpdir(), "coppice-app-")));
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const context = await contextIn(home);
  const never = () => Promise.reject(new Error("Nobody is to be asked."));
  const opened = await openAgent({
    ...{ context, known: await knownModelsOf(context) },
    ...{ offerModel: never, pickSession: never, offerDirectory: never },
  });
  if (typeof opened === "string") throw new Error(opened);
  const tui = new OwnScreen(createFakeTerminal());
  const palette = new Palette(false);
  const { paint } = palette;
  const layout = new Layout(tui, paint);
  const nothing = () => {};
  const now = () => 0;
  const first = new FirstScreen({ tui, layout, paint, directory: "~", now, suspend: nothing });
  const app = new App({
    ...{ context, palette, layout, first, tui, now, known: opened.known, built: opened },
    useTheme: async () => [],
    suspend: nothing,
    lend: (run) => run(),
  });
  await app.start();
  onTestFinished(async () => {
    app.quit();
    await app.agent.dispose();
  });
  const type = (...keys: readonly string[]) => {
    for (const key of keys) tui.getFocusedComponent()?.handleInput?.(key);
  };
  const { editor } = first;
  const shown = () => tui.children.flatMap((child) => child.render(100)).map((line) => line.trimEnd());
  return { app, type, shown, editor, home };
}
