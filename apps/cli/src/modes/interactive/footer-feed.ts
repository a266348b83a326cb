import { modelName } from "@coppice/ai";
import type { AgentHarness } from "@coppice/coding-agent";
import { gitBranch } from "./git-branch.ts";
import type { Footer, FooterState } from "./views/footer.ts";

/** Characters of a session's id that tell it apart. */
const SHORT_ID_CHARACTERS = 13;

export interface FooterFeedOptions {
  readonly footer: Footer;
  readonly requestRender: () => void;
}

/** Keeps the footer true: asks the agent again when something may have changed, one question at a time. */
export class FooterFeed {
  readonly #options: FooterFeedOptions;
  #asking: Promise<void> = Promise.resolve();
  #isAsked = false;
  #cwd = "";

  constructor(options: FooterFeedOptions) {
    this.#options = options;
  }

  update(change: Partial<FooterState>): void {
    this.#options.footer.update(change);
    this.#options.requestRender();
  }

  /** Shows another place; absolute, and the same for people. */
  moveTo(cwd: string, directory: string): void {
    this.#cwd = cwd;
    this.update({ directory });
  }

  /** Measures and counts in the background; calls that come while one waits are one. */
  refresh(agent: AgentHarness): void {
    this.update({ model: modelName(agent.model), thinkingLevel: agent.thinkingLevel });
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#asking = this.#asking.then(async () => {
      this.#isAsked = false;
      this.update(await facts(agent, this.#cwd));
    });
  }
}

/** What cannot be known (the agent is gone, a file cannot be read) stays as it is on the screen. */
async function facts(agent: AgentHarness, cwd: string): Promise<Partial<FooterState>> {
  const { session } = agent;
  const [usage, stats, name, branch] = await Promise.allSettled([
    agent.getContextUsage(),
    agent.getStats(),
    session.getName(),
    gitBranch(cwd),
  ]);
  return {
    ...(usage.status === "fulfilled" ? { usage: usage.value } : {}),
    ...(stats.status === "fulfilled" ? { costUsd: stats.value.usage.cost.total } : {}),
    ...(name.status === "fulfilled"
      ? { session: name.value ?? session.id.slice(0, SHORT_ID_CHARACTERS) }
      : {}),
    ...(branch.status === "fulfilled" ? { branch: branch.value } : {}),
  };
}
