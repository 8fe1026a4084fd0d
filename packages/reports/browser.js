// Chromium, whose boxes and pictures are the truth.
import { readFileSync } from 'node:fs';

import { chromium } from 'playwright-core';

/** The font of all texts, in Chromium and everywhere else. */
export const FONT = readFileSync(new URL('../../assets/fonts/NotoSans-Regular.ttf', import.meta.url));
const FACE = `@font-face{font-family:'Noto Sans';src:url(data:font/ttf;base64,${FONT.toString('base64')})}`;

export function launch() {
    return chromium.launch({
        executablePath: '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
}

/** An empty page with the font. */
export async function emptyPage(browser) {
    const page = await browser.newPage();
    await page.setContent(`<!doctype html><style>${FACE}</style><body></body>`);
    await page.evaluate(() => document.fonts.load('16px "Noto Sans"'));
    return page;
}

/** What `getBBox` returns for an element of a drawing, and the length of its text. */
export function boxInBrowser(page, svg, selector) {
    return page.evaluate(
        ([svg, selector]) => {
            document.body.innerHTML = svg;
            const element = document.querySelector(selector);
            const { x, y, width, height } = element.getBBox();
            return { x, y, width, height, textLength: element.getComputedTextLength?.() };
        },
        [svg, selector],
    );
}

/**
 * The box of the pixels that an element paints, or a whole drawing, in user units.
 *
 * @param {number} scale Pixels per user unit.
 * @param {number} margin How many user units around the viewBox count too.
 */
export function paintedBox(page, svg, { selector = 'svg', scale, margin = 0 }) {
    return page.evaluate(
        async ([svg, selector, scale, margin]) => {
            const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
            const kept = root.matches(selector) ? root : root.querySelector(selector);
            for (const element of root.querySelectorAll('path, rect, circle, line')) {
                if (!kept.contains(element) && !element.closest('marker')) element.remove();
            }
            const { x, y, width, height } = root.viewBox.baseVal;
            const size = [width + 2 * margin, height + 2 * margin];
            root.setAttribute('viewBox', [x - margin, y - margin, ...size].join(' '));
            const pixels = await window.pixelsOf(root, ...size.map((length) => Math.round(length * scale)));
            const edges = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
            for (let index = 0; index < pixels.data.length; index += 4) {
                if (pixels.data[index + 3] === 0) continue;
                const [column, row] = [(index / 4) % pixels.width, Math.floor(index / 4 / pixels.width)];
                edges.x0 = Math.min(edges.x0, column);
                edges.y0 = Math.min(edges.y0, row);
                edges.x1 = Math.max(edges.x1, column + 1);
                edges.y1 = Math.max(edges.y1, row + 1);
            }
            const [left, top] = [edges.x0 / scale + x - margin, edges.y0 / scale + y - margin];
            return { x: left, y: top, width: (edges.x1 - edges.x0) / scale, height: (edges.y1 - edges.y0) / scale };
        },
        [svg, selector, scale, margin],
    );
}

/** The number of pixels that differ in the pictures of two drawings, at ten pixels per CSS pixel. */
export function pixelsChanged(page, svg, other) {
    return page.evaluate(
        async ([svg, other]) => {
            const [before, after] = await Promise.all(
                [svg, other].map((text) => {
                    const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
                    const { width, height } = root.viewBox.baseVal;
                    return window.pixelsOf(root, width * 10, height * 10);
                }),
            );
            const [a, b] = [before, after].map(({ data }) => new Uint32Array(data.buffer));
            return a.reduce((count, pixel, index) => count + (pixel === b[index] ? 0 : 1), 0);
        },
        [svg, other],
    );
}

/** The number of pixels that differ in two drawings as images. `null` if Chromium shows an error. */
export function imagePixelsChanged(page, svg, other) {
    return page.evaluate(
        async (texts) => {
            const drawn = async (text) => {
                const image = new Image();
                image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
                await image.decode();
                const scale = 1600 / Math.max(image.naturalWidth, image.naturalHeight);
                const [width, height] = [image.naturalWidth, image.naturalHeight].map((length) => Math.ceil(length * scale));
                const context = new OffscreenCanvas(width, height).getContext('2d');
                context.drawImage(image, 0, 0, width, height);
                return new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
            };
            try {
                const [a, b] = await Promise.all(texts.map(drawn));
                return a.reduce((count, pixel, index) => count + (pixel === b[index] ? 0 : 1), 0);
            } catch {
                return null;
            }
        },
        [svg, other],
    );
}

/** Gives a page the function that draws a drawing, as an image. */
export function addPixelsOf(page) {
    return page.evaluate(() => {
        window.pixelsOf = async (root, width, height) => {
            root.setAttribute('width', width);
            root.setAttribute('height', height);
            const image = new Image();
            image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(root))}`;
            await image.decode();
            const context = new OffscreenCanvas(width, height).getContext('2d');
            context.drawImage(image, 0, 0);
            return context.getImageData(0, 0, width, height);
        };
    });
}
