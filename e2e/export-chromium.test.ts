import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findChromium, REQUIRED_VARIABLE, startChromium } from "./chromium.ts";
import { everydaySession, SessionText, text, usage } from "./export-fixture.ts";
import { hostileSession } from "./export-hostile.ts";
import { createPlayground, type Playground, runCoppice } from "./spawn-coppice.ts";

const executable = findChromium();
const isRequired = process.env[REQUIRED_VARIABLE] === "1";
if (executable === undefined) {
  console.log(
    "The exported page is not looked at in a browser: no chromium, chromium-browser or google-chrome found.",
  );
}

// A browser and a program are started, on machines that have other things to do.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });
const WAIT_MS = 120_000;

if (isRequired) {
  test(`a Chromium is installed, as ${REQUIRED_VARIABLE} wants`, () => {
    expect(executable).toBeDefined();
  });
}

// Skipped without a browser to look with; CI requires one (the test above).
describe.skipIf(executable === undefined)("the exported page in Chromium", () => {
  let browser: Browser;
  let playground: Playground;

  beforeAll(async () => {
    playground = await createPlayground();
    await mkdir(playground.project, { recursive: true });
    browser = await startChromium(executable ?? "");
  });

  afterAll(async () => {
    await browser?.close();
    await playground?.[Symbol.asyncDispose]();
  });

  async function exported(name: string, session: SessionText): Promise<string> {
    await session.writeTo(join(playground.project, `${name}.jsonl`));
    const run = await runCoppice({ playground, args: ["export", `./${name}.jsonl`, "-o", `${name}.html`] });
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    return `file://${join(playground.project, `${name}.html`)}`;
  }

  /** A page that has been drawn as a whole, and what went wrong or went out on the way. */
  async function open(address: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
    page.on("dialog", (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      dialog.dismiss().catch(() => {});
    });
    // What the policy stops never comes here.
    await context.route(/^(?!file:|data:)/, (route) => {
      faults.push(`request: ${route.request().url()}`);
      return route.abort();
    });
    await page.goto(address);
    await drawn(page);
    return { page, faults, [Symbol.asyncDispose]: () => context.close() };
  }

  /** Waiting for a selector would look through the whole document again and again, which slows the page down. */
  async function drawn(page: Page): Promise<void> {
    const isDrawn = `document.documentElement.matches('[data-ready][data-state="drawn"]')`;
    await expect.poll(() => page.evaluate<boolean>(isDrawn), { timeout: WAIT_MS, interval: 100 }).toBe(true);
  }

  /** Mean brightness from 0 to 1 and number of different colours of what is on the screen, judged by a second page. */
  async function look(page: Page): Promise<{ readonly brightness: number; readonly colors: number }> {
    const picture = (await page.screenshot()).toString("base64");
    const context = await browser.newContext();
    const judge = await context.newPage();
    const seen = await judge.evaluate<{ brightness: number; colors: number }>(`(async () => {
      const image = new Image();
      image.src = "data:image/png;base64,${picture}";
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const paper = canvas.getContext("2d");
      paper.drawImage(image, 0, 0);
      const { data } = paper.getImageData(0, 0, image.width, image.height);
      const colors = new Set();
      let sum = 0;
      for (let at = 0; at < data.length; at += 4) {
        sum += 0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2];
        colors.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
      }
      return { brightness: sum / (data.length / 4) / 255, colors: colors.size };
    })()`);
    await context.close();
    return seen;
  }

  test("light is light, dark is dark, the switch wins over the system, and both show something", async () => {
    const address = await exported("everyday", everydaySession());
    await using light = await open(address, { colorScheme: "light" });
    await using dark = await open(address, { colorScheme: "dark" });
    const [day, night] = [await look(light.page), await look(dark.page)];
    expect(day.brightness).toBeGreaterThan(0.8);
    expect(night.brightness).toBeLessThan(0.25);
    expect(Math.min(day.colors, night.colors)).toBeGreaterThan(50);
    await dark.page.keyboard.press("d");
    expect((await look(dark.page)).brightness).toBeGreaterThan(0.8);
    expect([...light.faults, ...dark.faults]).toEqual([]);
  });

  test.each([1600, 1024, 700, 360])("nothing is wider than a window of %i pixels", async (width) => {
    await using opened = await open(await exported("everyday", everydaySession()), {
      viewport: { width, height: 800 },
    });
    await opened.page.keyboard.press("e");
    const widest = await opened.page.evaluate<number>("document.documentElement.scrollWidth");
    expect(widest).toBeLessThanOrEqual(width);
    expect(opened.faults).toEqual([]);
  });

  test("the tree, the chart, the search and the keys lead to entries that are then in sight", async () => {
    await using opened = await open(await exported("everyday", everydaySession()));
    const { page, faults } = opened;
    const isInSight = () =>
      page.evaluate<boolean>(`(() => {
        const box = document.querySelector(".entry.chosen").getBoundingClientRect();
        return box.top >= 0 && box.top < innerHeight;
      })()`);
    const chosen = () => page.locator(".entry.chosen").textContent();

    await page.locator(".tree-row", { hasText: "Use a cookie" }).click({ position: { x: 40, y: 10 } });
    expect(await chosen()).toContain("Use a cookie instead of the session.");
    expect(await isInSight()).toBe(true);
    await page.locator(".siblings button").first().click();
    expect(await chosen()).toContain("A signed cookie was tried and left.");

    await page.locator(".chart-picture").scrollIntoViewIfNeeded();
    const box = await page.locator(".chart-picture").boundingBox();
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) - 30, (box?.y ?? 0) + 60);
    expect(await chosen()).toContain("Glad it works.");
    expect(await isInSight()).toBe(true);

    await page.keyboard.press("/");
    await page.keyboard.type("signed cookie works");
    await page.keyboard.press("Enter");
    expect(await chosen()).toContain("A signed cookie works as well");
    expect(await page.evaluate<number>(`CSS.highlights.get("search-match")?.size ?? 0`)).toBe(1);
    await page.keyboard.press("Escape");
    await page.keyboard.press("k");
    expect(await chosen()).toContain("Use a cookie instead of the session.");
    expect(await page.evaluate<string>("location.hash")).toBe("#entry=other");
    await page.keyboard.press("?");
    expect(await page.locator("dialog.keys").isVisible()).toBe(true);
    expect(faults).toEqual([]);
  });

  test("EX-01: a session of a person who means harm opens no dialog, sends no request and breaks no policy", async () => {
    await using opened = await open(await exported("hostile", hostileSession()));
    const { page, faults } = opened;
    await page.keyboard.press("e");
    for (const link of await page.locator("main a[href^=http]").all()) {
      expect(await link.getAttribute("rel")).toContain("noopener");
    }
    expect(await page.evaluate<string>("document.title")).not.toBe("");
    expect(faults).toEqual([]);
    // The policy holds also against a script that somebody got into the page.
    await page.evaluate(
      `document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='window.wasRun = 1'><img src='https://tracker.example/x.png'>")`,
    );
    await expect
      .poll(() => faults.filter((fault) => fault.includes("Content Security Policy")).length, {
        timeout: WAIT_MS,
      })
      .toBeGreaterThan(0);
    expect(await page.evaluate("window.wasRun")).toBeUndefined();
    expect(faults.filter((fault) => fault.startsWith("request:"))).toEqual([]);
  });

  test("EX-03: 10,000 entries open, scroll to their end, and are searched", async () => {
    const address = await exported("long", longSession(10_000));
    const startMs = performance.now();
    await using opened = await open(address);
    const { page, faults } = opened;
    const drawnMs = performance.now() - startMs;
    const readyMs = await page.evaluate<number>(
      "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1",
    );
    console.log(
      `10,000 entries: first paint ${Math.round(readyMs)} ms, everything drawn ${Math.round(drawnMs)} ms`,
    );
    expect(await page.locator(".entry").count()).toBeGreaterThan(6000);
    // The picture of the tree holds what is in sight and not what there is.
    expect(await page.locator(".tree-row").count()).toBeLessThan(200);
    await page.keyboard.press("/");
    await page.keyboard.type("needle 7779");
    await page.keyboard.press("Enter");
    expect(await page.locator(".entry.chosen").textContent()).toContain("needle 7779");
    expect(faults).toEqual([]);
  });
});

/** A prompt, a call, its result and an answer in turn, with a side way every 500 entries. */
function longSession(count: number): SessionText {
  const session = new SessionText({ id: "long" });
  for (let at = 0; at < count; at++) {
    const id = `e${at}`;
    if (at % 4 === 0) session.user(id, `Question ${at}: what about needle ${at}?`);
    else if (at % 4 === 1) {
      const call = {
        type: "toolCall",
        id: `c${at}`,
        name: "bash",
        arguments: { command: `grep -rn needle-${at} src` },
      };
      session.assistant(id, [text(`I look for **${at}**.`), call], {
        stopReason: "toolUse",
        usage: usage(500, 80, at * 3),
      });
    } else if (at % 4 === 2)
      session.result(id, `c${at - 1}`, `src/file-${at}.ts:1: needle ${at}\n`.repeat(20));
    else
      session.assistant(id, [text(`It is in \`src/file-${at}.ts\`:\n\n- needle ${at}\n- nothing else`)], {
        usage: usage(300, 120, at * 3),
      });
    if (at % 500 === 499) session.user(`side-${at}`, `Another way at ${at}`, `e${at - 3}`);
    if (at % 500 === 499) session.add(`back-${at}`, { type: "custom", customType: "x" }, id);
  }
  return session;
}
