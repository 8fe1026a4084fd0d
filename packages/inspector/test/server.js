// A server of static files, and the page in Chromium.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** The page is in a folder of the server, because it must work there too. */
const FOLDER = '/tools/inspector/';

/** Serves the page, and notes the paths of all requests. */
export async function serve() {
    const paths = [];
    const server = createServer((request, response) => {
        const { pathname } = new URL(request.url, 'http://localhost');
        paths.push(pathname);
        const name = pathname === FOLDER ? 'index.html' : normalize(pathname.slice(FOLDER.length));
        const file = join(DIST, name);
        if (pathname.startsWith(FOLDER) && existsSync(file) && statSync(file).isFile()) {
            response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
            createReadStream(file).pipe(response);
        } else {
            response.writeHead(404).end();
        }
    });
    await new Promise((resolve) => server.listen(0, 'localhost', resolve));
    const origin = `http://localhost:${server.address().port}`;
    return { origin, address: origin + FOLDER, paths, close: () => server.close() };
}

export function launch() {
    return chromium.launch({
        executablePath: '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
}

/** Drops a file on the page, and waits for its boxes. */
export async function drop(page, name, text, { isBroken = false } = {}) {
    await page.evaluate(
        ([name, text]) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], name, { type: 'image/svg+xml' }));
            document.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        },
        [name, text],
    );
    await (isBroken ? page.waitForSelector('#alert:not([hidden])') : opened(page, name));
}

/** Waits until the page shows the drawing with a name, and its picture is loaded. */
export async function opened(page, name) {
    await page.waitForFunction((name) => {
        const picture = document.getElementById('picture');
        const isShown = document.querySelector('#document strong')?.textContent === name;
        return isShown && picture.complete && document.querySelector('[role=treeitem]') !== null;
    }, name);
    await frame(page);
}

/** Waits until what was asked for is on the screen. */
export async function frame(page) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
}

/** The place of a point of the drawing on the screen. */
export async function placeOf(page, x, y) {
    const place = await page.evaluate(() => {
        const { left, top, width } = document.getElementById('picture').getBoundingClientRect();
        return { left, top, scale: width / document.getElementById('picture').offsetWidth };
    });
    return [place.left + x * place.scale, place.top + y * place.scale];
}

/** The box of the pixels of a colour on a screenshot: the edges x0, y0, x1, y1. Null if there are none. */
export async function boxOfColor(page, [red, green, blue], tolerance = 8) {
    const png = (await page.locator('#stage').screenshot()).toString('base64');
    const decoder = await page.context().newPage();
    const box = await decoder.evaluate(
        async ([png, wanted, tolerance]) => {
            const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
            const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
            context.drawImage(bitmap, 0, 0);
            const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
            const box = [Infinity, Infinity, -Infinity, -Infinity];
            for (let i = 0; i < data.length; i += 4) {
                if (!wanted.every((value, channel) => Math.abs(data[i + channel] - value) <= tolerance)) continue;
                const [x, y] = [(i / 4) % bitmap.width, Math.floor(i / 4 / bitmap.width)];
                box[0] = Math.min(box[0], x);
                box[1] = Math.min(box[1], y);
                box[2] = Math.max(box[2], x + 1);
                box[3] = Math.max(box[3], y + 1);
            }
            return box[0] === Infinity ? null : box;
        },
        [png, [red, green, blue], tolerance],
    );
    await decoder.close();
    return box;
}
