// The script of .github/workflows/comment.yml, run against a GitHub that is made up here.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';

const workflow = fs.readFileSync(
  new URL('../../.github/workflows/comment.yml', import.meta.url), 'utf8');
const indented = workflow.split('          script: |\n')[1].split('\n');
const script = indented.map((line) => line.replace(/^ {12}/, '')).join('\n');
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

const BASE = { id: 1 };
const FORK = { id: 2, owner: { login: 'someone' } };
const RUN = { head_sha: 'abc', head_branch: 'results', head_repository: FORK };
const PULL = { number: 7, head: { sha: 'abc', repo: FORK }, base: { repo: BASE } };

// Runs the script in a folder that holds the artifact; what it did.
async function run({ text = 'Fine.\n', pulls = [PULL], comments = [], prepare } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'comment-'));
  fs.mkdirSync(path.join(folder, 'report'));
  const file = path.join(folder, 'report/diff.md');
  if (prepare) prepare(file);
  else fs.writeFileSync(file, text);

  const done = { created: [], updated: [], failed: null, asked: null };
  const list = Symbol('list');
  const listComments = Symbol('listComments');
  const github = {
    paginate: async (route, parameters) => {
      if (route === list) {
        done.asked = parameters;
        return pulls;
      }
      return comments;
    },
    rest: {
      pulls: { list },
      issues: {
        listComments,
        createComment: async (parameters) => done.created.push(parameters),
        updateComment: async (parameters) => done.updated.push(parameters),
      },
    },
  };
  const context = {
    repo: { owner: 'lab', repo: 'board' },
    payload: { workflow_run: RUN, repository: BASE },
  };
  const core = { info: () => {}, setFailed: (message) => { done.failed = message; } };
  const real = createRequire(import.meta.url);
  const inFolder = (name) => name === 'fs'
    ? {
        lstatSync: (at) => fs.lstatSync(path.join(folder, at)),
        readFileSync: (at, encoding) => fs.readFileSync(path.join(folder, at), encoding),
      }
    : real(name);
  await new AsyncFunction('github', 'context', 'core', 'require', script)(
    github, context, core, inFolder);
  fs.rmSync(folder, { recursive: true });
  return done;
}

test('the comparison becomes a comment on the pull request of the event', async () => {
  const done = await run({ text: '- **n falls** (1): `s/b`\n' });
  assert.equal(done.asked.head, 'someone:results');
  assert.equal(done.created.length, 1);
  assert.equal(done.created[0].issue_number, 7);
  assert.match(done.created[0].body, /- \*\*n falls\*\* \(1\): `s\/b`/);
});

test('an earlier comment is replaced, and only its own', async () => {
  const body = '<!-- paceboard diff -->\nold';
  const comments = [
    { id: 1, body, user: { login: 'someone' } },
    { id: 2, body: 'other', user: { login: 'github-actions[bot]' } },
    { id: 3, body, user: { login: 'github-actions[bot]' } },
  ];
  const done = await run({ comments });
  assert.deepEqual(done.updated.map((one) => one.comment_id), [3]);
  assert.equal(done.created.length, 0);
});

test('only a pull request that stands at the commit checked is written to', async () => {
  const others = [
    { ...PULL, head: { sha: 'def', repo: FORK } },
    { ...PULL, head: { sha: 'abc', repo: { id: 3 } } },
    { ...PULL, head: { sha: 'abc', repo: null } },
    { ...PULL, base: { repo: { id: 4 } } },
  ];
  const done = await run({ pulls: others });
  assert.deepEqual([done.created, done.updated], [[], []]);
});

test('a forged comparison calls nobody, links nowhere and hides nothing', async () => {
  const text = [
    '@someone and #12', '<img src=x>', '<!-- paceboard diff -->', '[click](https://example.org)',
    '[a]: https://example.org', 'www.example.org', 'https://example.org',
  ].join('\n');
  const { body } = (await run({ text })).created[0];
  const [, inside] = body.split('### What this change does');
  for (const never of ['@someone', '#12', '<img', '<!--', '](', ']:', '://', 'www.']) {
    assert.ok(!inside.includes(never), `${never} in ${inside}`);
  }
});

test('a comment is never too long', async () => {
  for (const text of ['a'.repeat(299000), '@a'.repeat(100000)]) {
    const { body } = (await run({ text })).created[0];
    assert.ok(body.length <= 65536, `${body.length}`);
  }
});

test('what is no plain file of a fitting size is refused', async () => {
  for (const prepare of [
    (file) => fs.symlinkSync('/etc/passwd', file),
    (file) => fs.mkdirSync(file),
    (file) => fs.writeFileSync(file, 'a'.repeat(300001)),
  ]) {
    const done = await run({ prepare });
    assert.ok(done.failed);
    assert.deepEqual([done.created, done.updated], [[], []]);
  }
});
