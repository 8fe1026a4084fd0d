// Runs the tests of the GPU part in Chromium, on the WebGPU of its software adapter.
//
//     node packages/gpu/suite.js FOLDER [PART OF A NAME]...
//
// The folder has the module of the suite and its JavaScript: see packages/gpu/build. Without a name, all tests run, and
// then the tests of FAULTS with a broken shader, which they must notice. Prints each test with its time, and ends with 1
// if one fails.
//
// Environment variable:
//     BOXWOOD_SAMPLE=K/N   long tests run the inputs with the remainder K modulo N; without it, 0/16
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

/** The time that a test may take, in ms. */
const MAX_TIME = 600_000;

/** The part of their inputs that long tests run. */
const { BOXWOOD_SAMPLE = '0/16' } = process.env;

/**
 * A test of each folder of the suite, a text of a shader that it runs, and the text in place of it. The native tests
 * check that a fault of every shader is noticed. A browser runs only these: Tint refuses barriers in the loops that a
 * fault could make endless.
 */
const FAULTS = [
    ['paths::fill_scenes::fills_in_special_scenes_agree', 'max(', 'min('],
    ['scene::parity::the_outermost_clip_reaches_the_deepest_leaf', 'counts.x + counts.y + counts.z)', 'counts.x + counts.y)'],
    ['spatial::select::a_shorter_input_after_a_longer_one_counts_alone', ' & valid_bits(word, n)', ''],
    ['tree::matchers::every_matcher_is_right_in_deep_partitions', '.b - 1u - depth', '.b - 1u'],
];

const [folder, ...parts] = process.argv.slice(2);
const files = {
    '/': ['text/html', () => '<!doctype html><title>Suite</title><script type="module" src="/page.js"></script>'],
    '/page.js': ['text/javascript', () => readFileSync(new URL('page.js', import.meta.url))],
    '/suite.js': ['text/javascript', () => readFileSync(join(folder, 'suite.js'))],
    '/suite_bg.wasm': ['application/wasm', () => readFileSync(join(folder, 'suite_bg.wasm'))],
};
const server = createServer((request, response) => {
    const [type, read] = files[request.url] ?? [];
    if (read === undefined) {
        response.writeHead(404).end();
    } else {
        response.setHeader('Content-Type', type).end(read());
    }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
        '--no-sandbox', '--disable-background-networking', '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader',
        '--use-angle=swiftshader', '--enable-features=Vulkan', '--use-vulkan=swiftshader', '--disable-gpu-watchdog',
        '--js-flags=--expose-gc',
    ],
});

/** What the browser has reported since the last test: what Tint refuses, for example. */
let reports = [];

async function newPage(fault = []) {
    const page = await browser.newPage();
    page.on('console', (message) => message.type() === 'error' && reports.push(message.text()));
    page.on('pageerror', (error) => reports.push(String(error)));
    await page.addInitScript((given) => Object.assign(globalThis, given), { fault, environment: { BOXWOOD_SAMPLE } });
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    try {
        await page.waitForFunction('globalThis.isReady', undefined, { timeout: 60_000 });
    } catch (error) {
        throw new Error(`the module does not start: ${reports.join('\n')}`, { cause: error });
    }
    return page;
}

/** Runs a test of a page. Returns why it fails, or null. A page that crashes is a reason as well. */
async function failure(page, index) {
    let timer;
    const timeout = new Promise((resolve) => {
        timer = setTimeout(() => resolve(`takes more than ${MAX_TIME} ms`), MAX_TIME);
    });
    try {
        return await Promise.race([page.evaluate(`runTest(${index})`).catch(String), timeout]);
    } finally {
        clearTimeout(timer);
    }
}

let page = await newPage();
console.log(`Chromium ${browser.version()}, ${await page.evaluate('adapter()')}`);
const tests = await page.evaluate('tests()');
const failed = [];

function report(name, start, problems) {
    const time = Math.round(performance.now() - start);
    console.log(`${problems.length === 0 ? 'ok' : 'FAILED'} ${name} (${time} ms)`);
    if (problems.length > 0) {
        failed.push(name);
        console.log(problems.join('\n').slice(0, 4000));
    }
}

let nRun = 0;
for (const [index, { name, panic }] of tests.entries()) {
    if (parts.length > 0 && !parts.some((part) => name.includes(part))) {
        continue;
    }
    nRun += 1;
    const start = performance.now();
    reports = [];
    const why = await failure(page, index);
    const isRight = panic === undefined ? why === null : why?.includes(panic);
    report(name, start, [...(isRight ? [] : [why ?? `does not panic with: ${panic}`]), ...reports]);
    // A module that has panicked cannot be used any more.
    if (why !== null) {
        await page.close();
        page = await newPage();
    }
}
await page.close();
for (const [name, from, to] of parts.length === 0 ? FAULTS : []) {
    const start = performance.now();
    const index = tests.findIndex((test) => test.name === name);
    const broken = await newPage([from, to]);
    const why = index < 0 ? null : await failure(broken, index);
    const isPlanted = await broken.evaluate('globalThis.nPlanted > 0');
    const problems = [
        ...(index < 0 ? ['there is no such test'] : []),
        ...(isPlanted ? [] : [`no shader of it has the text ${from}`]),
        ...(why === null ? ['the fault is not noticed'] : []),
    ];
    report(`${name} with a planted fault`, start, problems);
    await broken.close();
}
await browser.close();
server.close();
console.log(`${nRun} tests, ${failed.length} failures`);
if (failed.length > 0 || nRun === 0) {
    process.exitCode = 1;
}
