#!/usr/bin/env node
// Measures the time for the boxes of all elements of icons, compared with the one box of resvg-js, and the time to start.
//
//     node throughput.js FOLDER...
//
// All take the same texts in turn, so that other work on the machine slows down all of them: 2,000, or the first 50 of them for the
// slow one. The first round is not counted.
// The time of the processor is that of all threads of the process. The best round is the one with the least other work.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

import { init, open } from '@boxwood-rs/svg';
import { Resvg } from '@resvg/resvg-js';

import { drawingsIn, textsOf } from './drawings.js';

const ICONS = 2000;
const ROUNDS = 5;
const STARTS = 11;

const CONTENDERS = [
    {
        name: 'Boxwood, all boxes',
        work(text) {
            const drawing = open(text);
            drawing.boxes();
            drawing.free();
        },
    },
    {
        name: 'Boxwood, getBBox of all',
        work(text) {
            const drawing = open(text);
            drawing.boxes({ include: 'fill', space: 'local' });
            drawing.free();
        },
    },
    { name: 'Boxwood, only loading', work: (text) => open(text).free() },
    { name: 'resvg-js, its one box', work: (text) => new Resvg(text, { font: { loadSystemFonts: false } }).getBBox() },
    {
        name: 'resvg-js, its one box, with system fonts as by default (50 icons)',
        work: (text) => new Resvg(text).getBBox(),
        count: 50,
    },
];

const { positionals } = parseArgs({ allowPositionals: true });
const texts = textsOf(drawingsIn(positionals, ICONS));
await init();
const times = new Map(CONTENDERS.map(({ name }) => [name, []]));
for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { name, work, count = ICONS } of CONTENDERS) {
        const some = texts.slice(0, count);
        const [start, used] = [performance.now(), process.cpuUsage()];
        for (const text of some) work(text);
        const { user, system } = process.cpuUsage(used);
        const [wall, processor] = [performance.now() - start, (user + system) / 1000].map((time) => time / some.length);
        if (round > 0) times.get(name).push({ wall, processor });
    }
}
console.log(`${texts.length} icons, ${Math.round(Buffer.byteLength(texts.join('')) / texts.length)} bytes each, ${ROUNDS} rounds\n`);
console.log('| for one icon | median | best | processor, best |\n|---|---|---|---|');
for (const [name, rounds] of times) {
    const [wall, processor] = ['wall', 'processor'].map((clock) => rounds.map((round) => round[clock]));
    console.log(`| ${name} | ${micros(median(wall))} | ${micros(Math.min(...wall))} | ${micros(Math.min(...processor))} |`);
}

const starts = Array.from({ length: STARTS }, started);
const [wall, processor] = ['wall', 'processor'].map((clock) => starts.map((start) => start[clock]));
console.log(`\nimport, init, and the boxes of a first drawing in a new process: ${summary(wall)}, of all processors ${summary(processor)}`);

/** The milliseconds that a new process takes for its first drawing. */
function started() {
    const script = `const [start, used] = [performance.now(), process.cpuUsage()];
        const { init, open } = await import('@boxwood-rs/svg');
        await init();
        open(${JSON.stringify(texts[0])}).boxes();
        const { user, system } = process.cpuUsage(used);
        console.log(JSON.stringify({ wall: performance.now() - start, processor: (user + system) / 1000 }));`;
    const cwd = new URL('.', import.meta.url).pathname;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd, encoding: 'utf8' });
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout);
}

function summary(values) {
    return `${median(values).toFixed(1)} ms (median of ${values.length}, best ${Math.min(...values).toFixed(1)})`;
}

function median(values) {
    return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function micros(milliseconds) {
    return `${(1000 * milliseconds).toFixed(0)} µs`;
}
