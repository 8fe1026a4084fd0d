// The page in Chromium, from static files.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before, beforeEach } from 'node:test';

import { boxOfColor, drop, frame, launch, opened, placeOf, serve } from './server.js';

const SVG = 'xmlns="http://www.w3.org/2000/svg"';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SHOTS = process.env.BOXWOOD_SHOTS ?? join(tmpdir(), 'boxwood-inspector');

/** The colours of the kinds of box. */
const COLORS = {
    leaf: [0xcc, 0x79, 0xa7],
    clipped: [0x00, 0x72, 0xb2],
    clip: [0xd5, 0x5e, 0x00],
    group: [0x00, 0x9e, 0x73],
    object: [0x7f, 0x7f, 0x7f],
};

/** A rectangle that a clip path cuts, one behind it, and one that sticks out. */
const CARD = `<svg ${SVG} viewBox="0 0 200 100" width="200" height="100">
  <clipPath id="frame"><rect width="60" height="60"/></clipPath>
  <rect id="back" x="10" y="10" width="30" height="30" fill="#ff0000"/>
  <g id="card" clip-path="url(#frame)">
    <rect id="photo" class="big wide" x="20" y="20" width="80" height="30" fill="#00ff00"/>
  </g>
  <rect id="far" x="150" y="40" width="70" height="10"/>
  <rect id="hidden" x="3" display="none" width="5" height="5"/>
</svg>`;

let server;
let browser;
let page;
let problems;

before(async () => {
    mkdirSync(SHOTS, { recursive: true });
    server = await serve();
    browser = await launch();
});

after(async () => {
    await browser?.close();
    server?.close();
});

beforeEach(async () => {
    await page?.context().close();
    page = await newPage();
});

async function newPage(options = {}, fragment = '') {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    // Other programs may use the processors.
    context.setDefaultTimeout(90000);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    problems = [];
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(server.address + fragment);
    await page.waitForSelector('#kinds .kind');
    return page;
}

/** The title of the element in the inspector. */
function title() {
    return page.locator('#element h2').textContent();
}

async function waitForTitle(text) {
    await page.waitForFunction((text) => document.querySelector('#element h2')?.textContent === text, text);
}

async function hover(x, y) {
    await page.mouse.move(...(await placeOf(page, x, y)));
}

async function click(x, y) {
    await page.mouse.click(...(await placeOf(page, x, y)));
}

async function waitForReadout(pattern) {
    await page.waitForFunction((source) => new RegExp(source).test(document.getElementById('readout').textContent), pattern.source);
}

/** What a download contains. */
async function downloadedBy(action) {
    const [download] = await Promise.all([page.waitForEvent('download'), action()]);
    return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')];
}

test('a dropped file is shown with its tree, and its boxes fit the picture', async () => {
    await drop(page, 'card.svg', CARD);
    assert.match(await page.title(), /^card\.svg/);
    const rows = await page.locator('[role=treeitem]').allTextContents();
    assert.deepEqual(rows, ['svg', 'clipPath #framedefinition', 'rect', 'rect #back', 'g #card', 'rect #photo', 'rect #far', 'rect #hiddendisplay none'].filter((row) => rows.includes(row)));
    assert.ok(rows.includes('rect #photo') && rows.includes('rect #hiddendisplay none'), rows.join());
    await page.keyboard.press('0');
    for (const key of ['3', '4']) await page.keyboard.press(key);
    await frame(page);
    const [red, blue] = [await boxOfColor(page, [255, 0, 0]), await boxOfColor(page, COLORS.clipped)];
    assert.deepEqual([red[2] - red[0], red[3] - red[1]], [28, 28], 'the red square is inside of its outline');
    assert.deepEqual([blue[0], blue[1]], [red[0] - 1, red[1] - 1]);
    assert.equal(blue[2] - blue[0], 190, 'the outlines end at the viewport');
    assert.deepEqual(problems, []);
});

test('boxes are sharp and at their places at every zoom', async () => {
    // Without a viewBox, lengths in percent depend on the size that the picture is laid out in.
    await drop(page, 'percent.svg', `<svg ${SVG} width="200" height="100"><rect width="50%" height="50%" fill="#f00"/></svg>`);
    for (const key of ['0', '+', '+', '+', '-', '-', '-', '-', '-']) {
        await page.keyboard.press(key);
        await frame(page);
        const [red, blue] = [await boxOfColor(page, [255, 0, 0], 40), await boxOfColor(page, COLORS.clipped)];
        for (const [edge, value] of red.entries()) {
            assert.ok(Math.abs(value - blue[edge]) <= 2, `zoom ${key}: picture ${red}, outline ${blue}`);
        }
    }
});

test('the keys 1 to 5 show and hide the kinds of box', async () => {
    await drop(page, 'card.svg', CARD);
    await page.keyboard.press('f');
    for (const [index, kind] of Object.keys(COLORS).entries()) {
        const button = page.locator('#kinds .kind').nth(index);
        if ((await button.getAttribute('aria-pressed')) === 'true') await page.keyboard.press(String(index + 1));
    }
    await frame(page);
    for (const color of Object.values(COLORS)) assert.equal(await boxOfColor(page, color, 2), null);
    for (const [index, [kind, color]] of Object.entries(COLORS).entries()) {
        await page.keyboard.press(String(index + 1));
        await page.waitForTimeout(100);
        assert.notEqual(await boxOfColor(page, color, 2), null, kind);
        assert.equal(await page.locator('#kinds .kind').nth(index).getAttribute('aria-pressed'), 'true');
        await page.locator('#kinds .kind').nth(index).click();
        await frame(page);
        assert.equal(await boxOfColor(page, color, 2), null, kind);
    }
});

test('the pointer highlights the top-most element that paints there, and a click selects it', async () => {
    await drop(page, 'card.svg', CARD);
    await hover(30, 30);
    await waitForReadout(/^<rect> #photo 40 × 30 at 20, 20$/);
    assert.match(await page.locator('#label').textContent(), /<rect> #photo\s+40 × 30/);
    await hover(80, 30);
    await waitForReadout(/^$/);
    await click(30, 30);
    await waitForTitle('<rect> #photo');
    assert.equal(await page.locator('[aria-selected=true][role=treeitem]').textContent(), 'rect #photo');
    await page.keyboard.press('g');
    await waitForTitle('<g> #card');
    await page.mouse.move(2, 2);
    await waitForReadout(/^<g> #card/);
    await page.waitForFunction(() => /#card/.test(document.getElementById('spoken').textContent));
    await click(120, 80);
    await waitForTitle('card.svg');
});

test('a circle is hit by its shape, and a thin line near it', async () => {
    const text = `<svg ${SVG} width="200" height="100"><circle id="c" cx="50" cy="50" r="40"/>
        <rect id="line" x="120" y="50" width="60" height="0.5"/></svg>`;
    await drop(page, 'shapes.svg', text);
    await hover(50, 50);
    await waitForReadout(/#c/);
    await hover(15, 15);
    await waitForReadout(/^$/);
    const [x, y] = await placeOf(page, 150, 50);
    await page.mouse.move(x, y - 1.5);
    await waitForReadout(/#line/);
    await page.mouse.move(x, y - 12);
    await waitForReadout(/^$/);
});

test('the inspector has the facts, and explains what cuts the element', async () => {
    await drop(page, 'card.svg', CARD);
    await click(30, 30);
    await waitForTitle('<rect> #photo');
    await page.waitForSelector('#element details');
    const text = await page.locator('#element').innerText();
    assert.match(text, /class big wide/);
    assert.match(text, /line 5, column 5/);
    assert.match(text, /\/svg\/g\[1\]\/rect\[1\]/);
    assert.match(text, /<rect id="photo" class="big wide" x="20" y="20" width="80" height="30" fill="#00ff00"\/>/);
    assert.match(text, /own\s+20\s+20\s+80\s+30/);
    assert.match(text, /clipped\s+20\s+20\s+40\s+30/);
    assert.match(text, /clip path #frame of <g> #card cuts 50\.0 % of the box/);
    assert.match(text, /50\.0 % of the box is left\./);
    await page.locator('#element .steps .link').first().click();
    await waitForTitle('<g> #card');
    await page.locator('[role=treeitem]', { hasText: '#hidden' }).click();
    await waitForTitle('<rect> #hidden');
    assert.match(await page.locator('#element').innerText(), /Not visible: it has `?display: none`?/);
});

test('the tree is used with the keyboard, and the selection follows', async () => {
    await drop(page, 'card.svg', CARD);
    await page.locator('#tree').focus();
    const selected = () => page.locator('[role=treeitem][aria-selected=true]').textContent();
    await page.keyboard.press('End');
    assert.match(await selected(), /#hidden/);
    await page.keyboard.press('Home');
    assert.equal(await selected(), 'svg');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await page.locator('[role=treeitem]').count(), 1);
    assert.equal(await page.locator('[role=treeitem]').getAttribute('aria-expanded'), 'false');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    const active = await page.locator('#tree').getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`#${active}`).textContent(), await selected());
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await selected(), 'svg');
    await page.locator('#filter').fill('.wide');
    assert.deepEqual(await page.locator('[role=treeitem]').allTextContents(), ['svg', 'g #card', 'rect #photo']);
});

test('audit and outside list findings, and a click selects the element', async () => {
    const text = CARD.replace('</svg>', '<rect id="cover" width="200" height="100" fill="#0000ff"/></svg>');
    await drop(page, 'card.svg', text);
    await page.locator('#tab-audit').click();
    const finding = page.locator('#audit .finding', { hasText: '#back' });
    assert.match(await finding.innerText(), /covered[\s\S]*is below the opaque cover/);
    await finding.click();
    await page.locator('#tab-audit').press('ArrowRight');
    const outside = page.locator('#outside .finding');
    assert.match(await outside.innerText(), /#far[\s\S]*sticks out of the viewBox: 20 px right/);
    assert.equal(await page.locator('[role=treeitem][aria-selected=true]').textContent(), 'rect #back');
    await outside.click();
    await page.locator('#tab-element').click();
    assert.equal(await title(), '<rect> #far');
});

test('a drawing is cropped with padding, and downloaded', async () => {
    await drop(page, 'card.svg', CARD.replace('x="150"', 'x="100"'));
    await page.locator('#tab-export').click();
    await page.waitForSelector('#crop-download:enabled');
    const [name, cropped] = await downloadedBy(() => page.locator('#crop-download').click());
    assert.equal(name, 'card-cropped.svg');
    assert.match(cropped, /viewBox="10 10 160 40"/);
    await page.locator('#padding').fill('5');
    await page.locator('#square').check();
    await page.waitForFunction(() => /5 -55 170 170/.test(document.getElementById('crop-result').textContent));
    const [, square] = await downloadedBy(() => page.locator('#crop-download').click());
    assert.match(square, /viewBox="5 -55 170 170"/);
    const mark = await page.locator('#marks rect.crop:not(.edge)').evaluate((rect) => [rect.width.baseVal.value, rect.height.baseVal.value]);
    assert.ok(Math.abs(mark[0] - mark[1]) <= 1, String(mark));
    await page.locator('[role=treeitem]', { hasText: '#hidden' }).click();
    await page.locator('#only-selected').check();
    await page.waitForFunction(() => /has no box/.test(document.getElementById('crop-result').textContent));
    assert.ok(await page.locator('#crop-download').isDisabled());
    const [, json] = await downloadedBy(() => page.locator('#boxes-json').click());
    assert.equal(JSON.parse(json).rows.find((row) => row.name === 'photo' && row.kind === 'clipped').width, 40);
});

test('drawings are pasted, and opened with the file chooser', async () => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), CARD);
    await page.keyboard.press('Control+v');
    await opened(page, 'pasted.svg');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.locator('#open').click()]);
    await chooser.setFiles({ name: 'chosen.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(CARD) });
    await opened(page, 'chosen.svg');
    await page.locator('#paste').click();
    await page.keyboard.insertText(CARD.replace('id="far"', 'id="typed"'));
    await page.locator('#paste-dialog .primary').click();
    await opened(page, 'pasted.svg');
    assert.equal(await page.locator('[role=treeitem]', { hasText: '#typed' }).count(), 1);
    assert.deepEqual(problems, []);
});

test('a broken file is an alert with its place', async () => {
    await drop(page, 'card.svg', CARD);
    await drop(page, 'broken.svg', `<svg ${SVG}>\n  <g>\n  <rect></g>\n</svg>`, { isBroken: true });
    const alert = page.locator('[role=alert]#alert');
    assert.match(await alert.innerText(), /Cannot open broken\.svg in line 3, column \d+/);
    assert.match(await alert.locator('.is-marked').innerText(), /3\s+<rect><\/g>/);
    assert.equal(await page.locator('[role=treeitem]').count(), 0);
    await drop(page, 'text.svg', 'no drawing at all', { isBroken: true });
    await drop(page, 'card.svg', CARD);
    assert.equal(await alert.isHidden(), true);
});

test('a hostile drawing neither runs nor loads anything', async () => {
    const requests = [];
    const victim = createServer((request, response) => {
        requests.push(request.url);
        response.setHeader('Access-Control-Allow-Origin', '*').end('<svg/>');
    });
    await new Promise((resolve) => victim.listen(0, 'localhost', resolve));
    const other = `http://localhost:${victim.address().port}`;
    const outside = [];
    page.on('request', (request) => {
        if (!request.url().startsWith(server.address) && !request.url().startsWith('blob:')) outside.push(request.url());
    });
    const steal = `try { top.stolen = true; fetch('${other}/script'); } catch {}`;
    await drop(page, 'hostile.svg', `<?xml-stylesheet href="${other}/sheet.css"?>
        <svg ${SVG} xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100" onload="${steal}">
        <script>${steal.replace('<', '&lt;')}</script><script href="${other}/file.js"/>
        <style>@import url(${other}/import.css); rect { fill: url(${other}/paint.svg#a) }</style>
        <image href="${other}/image.png" width="50" height="50" onerror="${steal}"/>
        <image xlink:href="${other}/image.svg" width="50" height="50"/>
        <use href="${other}/use.svg#a"/><feImage href="${other}/filter.png"/>
        <foreignObject width="50" height="50"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${other}/frame"/>
        <img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="${steal}"/></foreignObject>
        <rect id="safe" width="20" height="20"/></svg>`);
    await page.locator('[role=treeitem]', { hasText: '#safe' }).click();
    await waitForTitle('<rect> #safe');
    await page.locator('#tab-export').click();
    await page.waitForTimeout(500);
    victim.close();
    assert.deepEqual(requests, []);
    assert.deepEqual(outside, []);
    assert.equal(await page.evaluate(() => window.stolen), undefined);
    assert.match(await page.locator('#warnings').textContent(), /script/);
});

test('a link contains the drawing and the selection', async () => {
    await drop(page, 'card.svg', CARD);
    await click(30, 30);
    await waitForTitle('<rect> #photo');
    await page.locator('#tab-export').click();
    await page.locator('#copy-link').click();
    await page.waitForFunction(() => location.hash !== '');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(link, page.url());
    const before = server.paths.length;
    await page.context().close();
    page = await newPage({}, new URL(link).hash);
    await opened(page, 'card.svg');
    await waitForTitle('<rect> #photo');
    assert.ok(server.paths.slice(before).every((path) => !path.includes('svg=')), 'the server never sees the drawing');
    const [, json] = await (async () => {
        await page.locator('#tab-export').click();
        await page.waitForSelector('#boxes-json:enabled');
        return downloadedBy(() => page.locator('#boxes-json').click());
    })();
    assert.equal(JSON.parse(json).width, 200);
    await drop(page, 'other.svg', CARD);
    assert.equal(new URL(page.url()).hash, '', 'another drawing leaves the link');
    await page.evaluate(() => { location.hash = '#svg=AAAA'; });
    await page.waitForSelector('#alert:not([hidden])');
    const random = Array.from({ length: 3000 }, (_, index) => `<rect x="${Math.sin(index)}" width="1" height="1"/>`);
    await drop(page, 'large.svg', `<svg ${SVG}>${random.join('')}</svg>`);
    await page.locator('#copy-link').click();
    await page.waitForFunction(() => /too large for a link/.test(document.getElementById('toast').textContent));
});

test('texts have boxes, in the bundled font or in one that is dropped', async () => {
    const text = `<svg ${SVG} width="200" height="50"><text id="t" x="10" y="30" font-size="20">Boxwood</text></svg>`;
    assert.ok(!server.paths.slice(-8).some((path) => path.endsWith('boxwood_text.wasm')), 'only texts need it');
    await drop(page, 'text.svg', text);
    await page.locator('[role=treeitem]', { hasText: '#t' }).click();
    await waitForTitle('<text> #t');
    assert.match(await page.locator('#element').innerText(), /own\s+[\d.]+\s+[\d.]+\s+[78]\d/);
    assert.match(await page.locator('#warnings').textContent(), /\(Noto Sans\)[\s\S]*can differ/);
    const font = readFileSync(new URL('../../../assets/fonts/NotoSans-Regular.ttf', import.meta.url));
    await page.locator('#file').setInputFiles({ name: 'Other.ttf', mimeType: 'font/ttf', buffer: font });
    await page.waitForFunction(() => /Other\.ttf, Noto Sans/.test(document.getElementById('warnings').textContent));
    assert.equal(await title(), '<text> #t', 'the selection stays');
});

test('a compressed drawing and one in another encoding are shown', async () => {
    const { gzipSync } = await import('node:zlib');
    await page.locator('#file').setInputFiles({ name: 'card.svgz', mimeType: 'image/svg+xml', buffer: gzipSync(CARD) });
    await opened(page, 'card.svg');
    assert.equal(await page.evaluate(() => document.getElementById('picture').naturalWidth), 200);
    const latin = `<?xml version="1.0" encoding="iso-8859-1"?><svg ${SVG} width="9" height="9"><rect id="\u00e9" width="5" height="5"/></svg>`;
    await page.locator('#file').setInputFiles({ name: 'latin.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(latin, 'latin1') });
    await opened(page, 'latin.svg');
    assert.equal(await page.locator('[role=treeitem]', { hasText: '#\u00e9' }).count(), 1);
    assert.equal(await page.evaluate(() => document.getElementById('picture').naturalWidth), 9);
});

/** A drawing of about 300 KB: groups, clips, transforms, curves, and strokes. */
function largeDrawing() {
    const parts = [];
    for (let size = 0, index = 0; size < 298000; index += 1) {
        const [x, y] = [(index % 40) * 40, Math.floor(index / 40) * 40];
        const number = (seed) => (Math.abs(Math.sin(index * 12.9898 + seed) * 43758.5453) % 40).toFixed(2);
        const curve = Array.from({ length: 4 }, (_, at) => `C${[0, 1, 2, 3, 4, 5].map((axis) => number(at * 6 + axis)).join(' ')}`).join('');
        const clip = index % 5 === 0 ? ' clip-path="url(#cell)"' : '';
        const part = `<g transform="translate(${x} ${y})"${clip}><path id="p${index}" d="M0 0${curve}" fill="#4a8" stroke="#024" stroke-width="1.5"/>` +
            `<circle cx="${number(1)}" cy="${number(2)}" r="6" fill="none" stroke="#c40"/><rect width="38" height="3" rx="1"/></g>\n`;
        parts.push(part);
        size += part.length;
    }
    return `<svg ${SVG} viewBox="0 0 1600 1000"><clipPath id="cell"><circle cx="20" cy="20" r="18"/></clipPath>\n${parts.join('')}</svg>`;
}

test('a drawing of 300 KB has boxes in 300 ms, and the pointer is answered in 16 ms', async () => {
    const text = largeDrawing();
    assert.ok(text.length > 290000 && text.length < 310000, String(text.length));
    const measured = (name) => page.evaluate((name) => performance.getEntriesByName(name).map(({ duration }) => duration), name);
    for (let run = 0; run < 5; run += 1) await drop(page, `large${run}.svg`, text);
    await page.waitForTimeout(500);
    const opens = await measured('boxwood:open');
    for (let step = 0; step < 200; step += 1) {
        await hover(20 + ((step * 37) % 1560), 20 + ((step * 53) % 900));
        await page.waitForTimeout(2);
    }
    await page.waitForTimeout(200);
    const hovers = (await measured('boxwood:hover')).sort((a, b) => a - b);
    const nElements = await page.evaluate(() => document.querySelector('#element dd:nth-of-type(2)').textContent);
    const sorted = opens.toSorted((a, b) => a - b);
    const ms = (value) => `${value.toFixed(1)} ms`;
    console.log(`${text.length} bytes, ${nElements}`);
    console.log(`drop until boxes are shown: first ${ms(opens[0])}, median ${ms(sorted[2])}, slowest ${ms(sorted[4])}`);
    const at = (part) => hovers[Math.floor(part * (hovers.length - 1))];
    console.log(`${hovers.length} hovers: median ${ms(at(0.5))}, 95 % ${ms(at(0.95))}, slowest ${ms(at(1))}`);
    assert.ok(hovers.length > 50, `only ${hovers.length} hovers were answered`);
    const load = loadavg()[0];
    if (load > availableParallelism()) {
        console.log(`The times are not compared with their bounds, because other programs use the processors (load ${load}).`);
        return;
    }
    // The bounds are twice as high as the times should be, because the test itself needs the processor too.
    assert.ok(sorted[2] < 600, ms(sorted[2]));
    assert.ok(at(0.5) < 32, ms(at(0.5)));
});

test('the page has no violation of accessibility rules, in light and dark, wide and narrow', async () => {
    const violations = [];
    const check = async (state) => {
        await page.evaluate(AXE);
        const found = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
        for (const { id, nodes } of found.violations) {
            violations.push(`${state}: ${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`);
        }
        writeFileSync(join(SHOTS, `${state.replaceAll(' ', '-')}.png`), await page.screenshot({ fullPage: true }));
    };
    for (const colorScheme of ['light', 'dark']) {
        for (const [size, viewport] of [['wide', { width: 1280, height: 800 }], ['narrow', { width: 360, height: 740 }]]) {
            const name = `${colorScheme} ${size}`;
            await page.context().close();
            page = await newPage({ colorScheme, viewport });
            await check(`${name} empty`);
            await page.locator('#sample').click();
            await opened(page, 'sample.svg');
            await click(120, 330);
            await page.waitForSelector('#element details');
            await hover(490, 230);
            await waitForReadout(/union-disc/);
            await check(`${name} element`);
            for (const tab of ['audit', 'outside', 'export']) {
                await page.locator(`#tab-${tab}`).click();
                await page.waitForTimeout(200);
                await check(`${name} ${tab}`);
            }
            if (size === 'narrow') {
                await page.locator('#tab-tree').click();
                await check(`${name} tree`);
                const width = await page.evaluate(() => document.documentElement.scrollWidth);
                assert.equal(width, 360, 'nothing is wider than the page');
            }
            await page.locator('#help').click();
            await check(`${name} keys`);
            await page.keyboard.press('Escape');
            await page.locator('#paste').click();
            await check(`${name} paste`);
            await page.keyboard.press('Escape');
            await drop(page, 'broken.svg', `<svg ${SVG}>\n<rect></svg>`, { isBroken: true });
            await check(`${name} error`);
        }
    }
    assert.deepEqual(violations, []);
});

test('every control is reached with the keyboard, and keys can be turned off', async () => {
    await drop(page, 'card.svg', CARD);
    const reached = new Set();
    for (let step = 0; step < 60; step += 1) {
        await page.keyboard.press('Tab');
        const id = await page.evaluate(() => {
            const { activeElement } = document;
            const { outlineStyle } = getComputedStyle(activeElement);
            return `${activeElement.id || activeElement.className} ${outlineStyle}`;
        });
        reached.add(id);
    }
    for (const id of ['open', 'paste', 'sample', 'help', 'filter', 'tree', 'stage', 'zoom-in', 'zoom-out', 'fit', 'background', 'tab-element', 'element', 'kind']) {
        assert.ok([...reached].some((found) => found.startsWith(`${id} `) && !found.endsWith('none')), `${id} in ${[...reached].join(', ')}`);
    }
    await page.locator('#stage').focus();
    const left = () => page.evaluate(() => document.getElementById('picture').getBoundingClientRect().left);
    const before = await left();
    await page.keyboard.press('ArrowRight');
    await frame(page);
    assert.equal((await left()) - before, -48);
    await page.keyboard.press('?');
    await page.locator('#keys-on').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('2');
    assert.equal(await page.locator('#kinds .kind').nth(1).getAttribute('aria-pressed'), 'true');
});
