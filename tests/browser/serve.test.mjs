// `paceboard serve` in a browser: an open page follows the data, and shows what is wrong with it,
// under the page's own Content-Security-Policy.
//
//   PACEBOARD=target/release/paceboard node --test tests/browser/serve.test.mjs

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { launch, repository } from "./browser.mjs";

const program = resolve(repository, process.env.PACEBOARD ?? "target/release/paceboard");
const folder = mkdtempSync(join(tmpdir(), "paceboard-serve-"));
const settings = join(folder, "data/site.toml");
let server;
let browser;
let address;

before(async () => {
  cpSync(join(repository, "data"), join(folder, "data"), { recursive: true });
  server = spawn(program, ["serve", "--port", "0"], {
    cwd: folder, stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = await once(server.stdout, "data");
  address = /http:\S+/.exec(String(line))[0];
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

test("an open page follows the data and shows its errors", async () => {
  const tab = await browser.newPage();
  const faults = [];
  tab.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  tab.on("pageerror", (error) => faults.push(error.message));
  await tab.goto(address);
  const good = readFileSync(settings, "utf8");

  writeFileSync(settings, good.replace(/^tagline = .*$/m, 'tagline = "Another sentence."'));
  await tab.getByText("Another sentence.").first().waitFor();

  writeFileSync(settings, good.replace(/^title/m, "titel"));
  const banner = tab.getByRole("alert");
  await banner.waitFor();
  assert.match(await banner.innerText(), /site\.toml:1:1/);
  const style = await banner.evaluate((element) => getComputedStyle(element).backgroundColor);
  assert.equal(style, "rgb(122, 16, 32)", "the policy lets the banner have its style");
  await tab.getByText("Another sentence.").first().waitFor();

  writeFileSync(settings, good);
  await banner.waitFor({ state: "detached" });
  assert.deepEqual(faults, []);
});
