// Opens pages of the built site at two widths, in light and dark, with and without JavaScript,
// from a server and from disk. Each must load without a console error, ask no other host for
// anything, fit its width, and be readable.
//
//   SITE=target/test-site/site node --test tests/browser/smoke.test.mjs

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { launch, pagesOf, repository, samplesOf, serve } from "./browser.mjs";

const site = resolve(repository, process.env.SITE ?? "target/test-site/site");
const pictures = join(repository, "target/browser");
const allPages = pagesOf(site);
const samples = samplesOf(allPages);
let browser;
let server;

before(async () => {
  mkdirSync(pictures, { recursive: true });
  server = await serve(site);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens pages and collects all that is wrong with them, so that one run shows all of it. */
async function visit({ pages, base, width, colorScheme, javaScriptEnabled, pictures }) {
  const faults = [];
  const context = await browser.newContext({
    viewport: { width, height: 900 }, colorScheme, javaScriptEnabled, reducedMotion: "reduce",
  });
  const tab = await context.newPage();
  let path = "";
  const fault = (text) => faults.push(`${path}: ${text}`);
  tab.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") fault(message.text());
  });
  tab.on("pageerror", (error) => fault(error.message));
  tab.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(base) && !url.startsWith("data:")) fault(`asks for ${url}`);
  });
  tab.on("response", (response) => {
    if (response.status() >= 400) fault(`${response.status()} for ${response.url()}`);
  });
  tab.on("requestfailed", (request) => {
    // Aborted: the next page was opened before the icon of this one was there.
    const reason = request.failure()?.errorText;
    if (reason !== "net::ERR_ABORTED") fault(`${reason} for ${request.url()}`);
  });
  for (path of pages) {
    await tab.goto(base + path, { waitUntil: "load" });
    const seen = await tab.evaluate(() => {
      const root = document.documentElement;
      // Boxes that stick out to the right and are not inside something that scrolls by itself.
      const scrolls = (element) => {
        for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) {
          if (getComputedStyle(up).overflowX !== "visible") return true;
        }
        return false;
      };
      const wide = [...document.body.querySelectorAll("*")]
        .filter((e) => e.getBoundingClientRect().right > root.clientWidth + 1 && !scrolls(e))
        .slice(0, 3)
        .map((e) => `${e.tagName.toLowerCase()}.${e.getAttribute("class") ?? ""}`);
      return {
        title: document.title,
        headings: document.querySelectorAll("h1").length,
        language: root.lang,
        main: document.querySelector("main")?.innerText.trim().length ?? 0,
        scrollWidth: root.scrollWidth,
        clientWidth: root.clientWidth,
        wide,
        background: getComputedStyle(document.body).backgroundColor,
      };
    });
    if (seen.scrollWidth > seen.clientWidth) {
      fault(`${seen.scrollWidth} px wide in a window of ${seen.clientWidth}: ${seen.wide}`);
    }
    if (!seen.title) fault("no title");
    if (seen.headings !== 1) fault(`${seen.headings} first-level headings`);
    if (!seen.language) fault("no language");
    if (seen.main < 20) fault("nothing to read in <main>");
    if (pictures) {
      const name = path.replaceAll("/", "_").replace(/\.html$/, "");
      await tab.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`) });
    }
  }
  await context.close();
  return faults;
}

test("there are pages of each kind to look at", () => {
  for (const kind of [
    /^index\.html$/, /^[^/]+\/index\.html$/, /^[^/]+\/operators\/[^/]+\/index\.html$/,
    /^[^/]+\/operators\/[^/]+\/[^/]+\/index\.html$/, /^[^/]+\/audit\/index\.html$/,
    /^[^/]+\/implementations\/[^/]+\/index\.html$/, /^[^/]+\/batches\/[^/]+\/index\.html$/,
  ]) {
    assert.ok(samples.some((page) => kind.test(page)), `no page is like ${kind}`);
  }
});

// Every three of the four settings occur in each of their combinations.
for (const [width, colorScheme, script, from] of [
  [1280, "light", "with", "server"],
  [1280, "light", "without", "disk"],
  [1280, "dark", "with", "disk"],
  [1280, "dark", "without", "server"],
  [390, "light", "with", "disk"],
  [390, "light", "without", "server"],
  [390, "dark", "with", "server"],
  [390, "dark", "without", "disk"],
]) {
  test(`${width} px, ${colorScheme}, ${script} JavaScript, from ${from}`, async () => {
    const faults = await visit({
      pages: samples,
      base: from === "disk" ? pathToFileURL(site).href + "/" : server.base,
      width,
      colorScheme,
      javaScriptEnabled: script === "with",
      pictures: script === "with" ? pictures : undefined,
    });
    assert.deepEqual(faults, []);
  });
}

test("every page fits 390 px", async () => {
  const faults = await visit({
    pages: allPages, base: server.base, width: 390, colorScheme: "light", javaScriptEnabled: true,
  });
  assert.deepEqual(faults, []);
});

test("light and dark differ", async () => {
  const background = async (colorScheme) => {
    const context = await browser.newContext({ colorScheme });
    const tab = await context.newPage();
    await tab.goto(`${server.base}index.html`);
    const found = await tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await context.close();
    return found;
  };
  assert.notEqual(await background("light"), await background("dark"));
});

test("every link of the index is reached by keyboard", async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(`${server.base}index.html`);
  const visible = await tab.evaluate(
    () => [...document.querySelectorAll("a[href]")].filter((a) => a.checkVisibility()).length,
  );
  const reached = new Set();
  for (let presses = 0; presses < visible * 3 + 50; presses += 1) {
    await tab.keyboard.press("Tab");
    const index = await tab.evaluate(
      () => [...document.querySelectorAll("a[href]")].indexOf(document.activeElement),
    );
    if (index >= 0) reached.add(index);
  }
  assert.ok(reached.size >= visible, `${reached.size} of ${visible} links`);
  await context.close();
});
