#!/usr/bin/env node
// Counts the pictures that change by svgo with Boxwood's plugin, and with its own removeOffCanvasPaths, and the bytes saved.
//
//     node svgo.js [--count N] FOLDER...
//
// The pictures are compared with those of the output of svgo without plugins, because svgo itself rewrites some texts. resvg-js draws
// at 64 and at 391 pixels. If a picture changes, Chromium draws it too: resvg 0.34 draws some elements that nobody sees in a browser, such as
// those in an invalid clip path. The exit code is 1 if a picture changes in Chromium by Boxwood's plugin.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import removeInvisible from '@boxwood-rs/svg/svgo';
import { optimize } from 'svgo';

import { emptyPage, imagePixelsChanged, launch } from './browser.js';
import { drawingsIn } from './drawings.js';

const PLUGINS = { Boxwood: removeInvisible, removeOffCanvasPaths: 'removeOffCanvasPaths' };

const { values, positionals } = parseArgs({ options: { count: { type: 'string' } }, allowPositionals: true });
const files = drawingsIn(positionals, values.count && Number(values.count));
const sums = Object.keys(PLUGINS).map((plugin) => ({ plugin, edited: 0, changed: 0, changedInChromium: 0, crashed: 0, failed: 0, saved: 0 }));
let [refused, bytes] = [0, 0];
let renderer = null;
const browser = await launch();
const page = await emptyPage(browser);
for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const before = optimized(text, []);
    if (before === null) {
        refused += 1;
        continue;
    }
    bytes += Buffer.byteLength(before);
    for (const sum of sums) {
        const after = optimized(text, [PLUGINS[sum.plugin]]);
        if (after === before) continue;
        if (after === null) {
            sum.failed += 1;
            continue;
        }
        sum.edited += 1;
        sum.saved += Buffer.byteLength(before) - Buffer.byteLength(after);
        const counts = await pixelsChanged(before, after);
        if (counts === null) sum.crashed += 1;
        if (counts?.some((count) => count > 0)) {
            sum.changed += 1;
            const inChromium = await imagePixelsChanged(page, before, after);
            if (inChromium > 0) sum.changedInChromium += 1;
            const there = inChromium ?? 'an error';
            console.log(`${file}: ${counts.join(' and ')} pixels change by ${sum.plugin}, and ${there} in Chromium`);
        }
    }
}
renderer?.disconnect();
await browser.close();
console.log(`${files.length} drawings, ${refused} of them refused by svgo`);
for (const { plugin, edited, changed, changedInChromium, crashed, failed, saved } of sums) {
    const pictures = `${changed} pictures changed, ${changedInChromium} of them in Chromium too${crashed ? `, ${crashed} not drawn because resvg-js crashes` : ''}`;
    console.log(`${plugin}: ${edited} edited, ${failed} failed, ${pictures}, ${saved} of ${bytes} bytes saved`);
}
process.exitCode = sums[0].changedInChromium > 0 || sums[0].failed > 0 ? 1 : 0;

/** The text by svgo. `null` if svgo refuses it. */
function optimized(text, plugins) {
    try {
        return optimize(text, { plugins }).data;
    } catch {
        return null;
    }
}

/** The number of pixels that differ at each size. `null` if the renderer crashes. */
async function pixelsChanged(before, after) {
    renderer ??= fork(new URL('draw.js', import.meta.url), { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const ends = new AbortController();
    const exit = once(renderer, 'exit', ends).then(() => null);
    exit.catch(() => {});
    renderer.send([before, after]);
    const counts = await Promise.race([once(renderer, 'message', ends), exit]);
    ends.abort();
    if (counts === null) renderer = null;
    return counts?.[0] ?? null;
}
