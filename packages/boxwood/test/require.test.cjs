// The package with `require`, in a worker, and as a command.
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const test = require('node:test');
const { Worker } = require('node:worker_threads');
const { gunzipSync, gzipSync } = require('node:zlib');

const { initSync, open } = require('@boxwood-rs/svg');

const SVG = 'xmlns="http://www.w3.org/2000/svg"';
const CARD = `<svg ${SVG} width="20" height="20" viewBox="0 0 20 20"><rect id="r" x="5" y="5" width="10" height="10"/></svg>`;
const WIDE = `<svg ${SVG} viewBox="0 0 20 20">\n <circle id="c" cx="18" cy="10" r="5"/></svg>`;

test('require gives the same package', () => {
    initSync();
    assert.deepEqual(open(CARD).ink(), { x: 5, y: 5, width: 10, height: 10 });
    assert.equal(typeof require('@boxwood-rs/svg/jsdom').install, 'function');
    assert.equal(require('@boxwood-rs/svg/svgo').name, 'removeInvisible');
});

test('a worker has its own module', async () => {
    const code = `
        import { parentPort, workerData } from 'node:worker_threads';
        import { init, open } from '@boxwood-rs/svg';
        await init();
        parentPort.postMessage(open(workerData).ink());`;
    const file = join(process.cwd(), 'worker.mjs');
    writeFileSync(file, code);
    const answer = new Promise((resolve, reject) => {
        const worker = new Worker(file, { workerData: CARD });
        worker.on('message', resolve);
        worker.on('error', reject);
    });
    assert.deepEqual(await answer, { x: 5, y: 5, width: 10, height: 10 });
});

function run(...args) {
    const { status, stdout, stderr } = spawnSync('npx', ['--no-install', 'boxwood-svg', ...args], { encoding: 'utf8' });
    return { status, stdout, stderr };
}

test('the command checks, crops, and prints', () => {
    const folder = mkdtempSync(join(tmpdir(), 'boxwood-'));
    mkdirSync(join(folder, 'icons'));
    const [card, wide, packed] = ['card.svg', 'icons/wide.svg', 'icons/packed.svgz'].map((name) => join(folder, name));
    writeFileSync(card, CARD, { mode: 0o600 });
    writeFileSync(wide, WIDE);
    writeFileSync(packed, gzipSync(CARD));
    assert.deepEqual(run('check', folder), {
        status: 1,
        stdout: `${wide}:2:2: <circle> c sticks out of the viewBox: 3 px right\n`,
        stderr: '',
    });
    assert.equal(run('check', card).status, 0);
    assert.equal(run('check', '--tolerance', '3', folder).status, 0);
    const { stdout } = run('boxes', card, '--select', '#r');
    const rows = stdout.trim().split('\n').map((line) => JSON.parse(line));
    assert.deepEqual(rows.map(({ file, name, kind }) => [file, name, kind]), [[card, 'r', 'leaf'], [card, 'r', 'clipped']]);
    const padded = run('crop', '--padding', '1', folder);
    assert.deepEqual([padded.status, padded.stdout], [2, `${card}: cropped\n${packed}: cropped\n`]);
    assert.match(padded.stderr, /wide.svg: the margin would show a part of <circle> c \(2:2\) that the canvas cuts off/);
    const link = join(folder, 'link.svg');
    symlinkSync(wide, link);
    assert.equal(run('crop', '--grow', link).stdout, `${link}: cropped\n`);
    assert.match(readFileSync(wide, 'utf8'), /viewBox="13 5 10 10"/);
    assert.equal(run('check', wide).status, 0);
    writeFileSync(wide, WIDE);
    assert.equal(run('crop', wide).stdout, `${wide}: cropped\n`);
    assert.match(readFileSync(card, 'utf8'), /width="12" height="12" viewBox="4 4 12 12"/);
    assert.equal(statSync(card).mode & 0o777, 0o600);
    assert.match(gunzipSync(readFileSync(packed)).toString(), /viewBox="4 4 12 12"/);
    assert.deepEqual(run('crop', '--padding', '1', card), { status: 0, stdout: '', stderr: '' });
});

test('the command reports what is wrong', () => {
    const folder = mkdtempSync(join(tmpdir(), 'boxwood-'));
    const [broken, latin, empty] = ['broken.svg', 'latin.svg', 'empty'].map((name) => join(folder, name));
    writeFileSync(broken, '<svg');
    writeFileSync(latin, `<?xml version="1.0" encoding="ISO-8859-1"?><svg ${SVG} width="9" height="9"><path d="M1 1h2v2z"/></svg>`);
    mkdirSync(empty);
    for (const [args, message] of [
        [['check', broken], /broken.svg: the text is not well-formed XML/],
        [['check', '/none.svg'], /none.svg: ENOENT/],
        [['check', '--square', broken], /--square is not for check/],
        [['check', '--none', broken], /Unknown option '--none'/],
        [['toast', broken], /there is no command toast: use crop, check, boxes/],
        [[], /Usage:/],
        [['check'], /check: name a drawing or a folder/],
        [['check', '--tolerance', 'x', broken], /--tolerance x is not a number of pixels/],
        [['check', empty], /there is no .svg or .svgz file in .*empty/],
        [['crop', latin], /crop: cannot write the encoding ISO-8859-1: save the file as UTF-8/i],
        [['check', '--font', '/none.ttf', broken], /none.ttf/],
    ]) {
        const { status, stderr } = run(...args);
        assert.equal(status, 2, args.join(' '));
        assert.match(stderr, message);
    }
    assert.equal(run('-h').status, 0);
    assert.match(run('--version').stdout, /^\d+\.\d+\.\d+\n$/);
});
