// The package in Chromium, from static files and without a bundler.
import assert from 'node:assert/strict';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, extname, join, normalize } from 'node:path';
import test, { after, before } from 'node:test';

import { chromium } from 'playwright-core';

const root = join(process.cwd(), 'node_modules/@boxwood-rs/svg');
const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html' };
const SVG = 'xmlns="http://www.w3.org/2000/svg"';

let server;
let browser;
let page;

before(async () => {
    server = createServer((request, response) => {
        const file = join(root, normalize(new URL(request.url, 'http://localhost').pathname));
        if (request.url === '/') {
            response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Boxwood</title>');
        } else if (existsSync(file)) {
            response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
            createReadStream(file).pipe(response);
        } else {
            response.writeHead(404).end();
        }
    });
    await new Promise((resolve) => server.listen(0, resolve));
    browser = await chromium.launch({
        executablePath: '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    page = await browser.newPage();
    await page.goto(`http://localhost:${server.address().port}/`);
});

after(async () => {
    await browser?.close();
    server?.close();
});

test('a page gets the boxes that the browser has', async () => {
    const text = `<svg ${SVG} width="200" height="100"><g id="g" transform="rotate(20)">
        <path id="p" d="M20 20C60 -20 90 80 120 30" stroke="red"/><circle id="c" cx="90" cy="20" r="9"/></g></svg>`;
    const pairs = await page.evaluate(async (text) => {
        const { init, open } = await import('/dist/web.js');
        await init();
        const drawing = open(text);
        document.body.innerHTML = text;
        return ['g', 'p', 'c'].map((id) => {
            const { x, y, width, height } = document.getElementById(id).getBBox();
            return [drawing.bbox(`#${id}`), { x, y, width, height }];
        });
    }, text);
    for (const [ours, chromiums] of pairs) {
        for (const side of ['x', 'y', 'width', 'height']) {
            assert.ok(Math.abs(ours[side] - chromiums[side]) < 1e-3, JSON.stringify([ours, chromiums]));
        }
    }
});

test('a deep drawing or a full memory ends only itself', async () => {
    const outcome = await page.evaluate(async (SVG) => {
        const { init, open } = await import('/dist/web.js');
        await init({ maxMemory: 64 * 2 ** 20 });
        const message = (text) => {
            try {
                open(text).free();
                return 'loaded';
            } catch (error) {
                return `${error.name}: ${error.message}`;
            }
        };
        const nested = (depth) => `<svg ${SVG} width="9" height="9">${'<g>'.repeat(depth)}${'</g>'.repeat(depth)}</svg>`;
        const wide = `<svg ${SVG} width="9" height="9">${'<rect width="5" height="5"/>'.repeat(500000)}</svg>`;
        return [nested(100), nested(1000), nested(100000), wide, nested(1)].map(message);
    }, SVG);
    assert.equal(outcome[0], 'loaded');
    assert.match(outcome[1], /^(loaded|BoxwoodError: .* nested (elements|too deeply))/);
    // The text alone takes more than a megabyte, so the memory may be full before the depth is known.
    assert.match(outcome[2], /^BoxwoodError: .*(levels of nested elements|needs more memory)/);
    assert.match(outcome[3], /^BoxwoodError: .*needs more memory/);
    assert.equal(outcome[4], 'loaded');
});

test('answers in Chromium are those in Node.js', async () => {
    const { init, open } = await import('@boxwood-rs/svg');
    await init({ text: true });
    const fonts = [readFileSync(process.env.BOXWOOD_FONT)];
    const { readdirSync } = await import('node:fs');
    const folders = process.env.BOXWOOD_DRAWINGS.split(':');
    const every = Number(process.env.BOXWOOD_EVERY ?? 1);
    const files = folders.flatMap((folder) =>
        readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.svg')).sort().map((name) => join(folder, name)),
    );
    const chosen = files.filter((_, index) => index % every === 0);
    await page.evaluate(async (font) => {
        const { init, open } = await import('/dist/web.js');
        await init({ text: true });
        const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
        const fonts = [bytes(font)];
        window.answer = (svg) => {
            try {
                const drawing = open(bytes(svg), { fonts });
                const { rows, warnings } = drawing.query();
                drawing.free();
                return JSON.stringify([rows, warnings]);
            } catch (error) {
                return error.message;
            }
        };
    }, fonts[0].toString('base64'));
    let nDifferent = 0;
    for (const file of chosen) {
        const bytes = readFileSync(file);
        let expected;
        try {
            const drawing = open(bytes, { fonts });
            const { rows, warnings } = drawing.query();
            drawing.free();
            expected = JSON.stringify([rows, warnings]);
        } catch (error) {
            expected = error.message;
        }
        const found = await page.evaluate((svg) => window.answer(svg), bytes.toString('base64'));
        // The stack of an engine ends somewhere between 300 and 1,024 levels, and the one of Node.js first.
        if (found !== expected && !(expected.includes('nested too deeply') && /deep_?(900|1000)\.svg$/.test(basename(file)))) {
            nDifferent += 1;
            console.log(`${file}: ${found.slice(0, 200)} instead of ${expected.slice(0, 200)}`);
        }
    }
    console.log(`${chosen.length} drawings in Chromium, ${nDifferent} different`);
    assert.equal(nDifferent, 0);
});
