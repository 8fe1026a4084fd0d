// Diagrams that are drawn in jsdom and in Chromium, with the same font.
import { build } from 'esbuild';
import { JSDOM, VirtualConsole } from 'jsdom';
import { install } from '@boxwood-rs/svg/jsdom';

import { emptyPage } from './browser.js';

/** The script of the diagrams, as text. */
export async function bundled() {
    const { outputFiles } = await build({
        entryPoints: [new URL('diagrams/page.js', import.meta.url).pathname],
        bundle: true,
        format: 'iife',
        write: false,
        loader: { '.css': 'empty' },
        logLevel: 'error',
    });
    return outputFiles[0].text;
}

/** The elements of a diagram in jsdom, with the boxes of Boxwood if there are fonts. */
export async function inJsdom(script, name, fonts) {
    // Canvases do not exist in jsdom, and it reports each use.
    const window = new JSDOM('<!doctype html><body></body>', {
        runScripts: 'outside-only',
        pretendToBeVisual: true,
        virtualConsole: new VirtualConsole(),
    }).window;
    if (fonts !== undefined) install(window, { fonts });
    window.eval(script);
    return window.draw(name);
}

/** The elements of a diagram in Chromium. */
export async function inChromium(browser, script, name) {
    const page = await emptyPage(browser);
    try {
        await page.addScriptTag({ content: script });
        return await page.evaluate((name) => window.draw(name), name);
    } finally {
        await page.close();
    }
}

/**
 * The largest difference of the boxes, and of the numbers of geometry, in two lists of elements.
 *
 * @returns {{ box: number, geometry: number, of: string }} `of` describes the element with the largest difference.
 */
export function difference(found, expected) {
    const largest = { box: 0, geometry: 0, of: '' };
    if (found.length !== expected.length) throw new Error(`${found.length} elements instead of ${expected.length}`);
    found.forEach((element, index) => {
        const other = expected[index];
        if (element.name !== other.name) throw new Error(`<${element.name}> instead of <${other.name}>`);
        const box = farthest(element.box, other.box);
        if (box > largest.box) {
            largest.box = box;
            largest.of = `<${element.name}> ${element.text}`.trim();
        }
        element.attributes.forEach((value, place) => {
            const [numbers, others] = [value, other.attributes[place]].map((text) => text.match(NUMBER)?.map(Number) ?? []);
            if (numbers.length !== others.length) throw new Error(`<${element.name}>: ${value} instead of ${other.attributes[place]}`);
            largest.geometry = Math.max(largest.geometry, farthest(numbers, others));
        });
    });
    return largest;
}

const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;

function farthest(numbers, others) {
    return Math.max(0, ...numbers.map((number, index) => Math.abs(number - others[index])));
}
