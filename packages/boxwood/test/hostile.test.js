// Drawings that break a loader: each is an error, and the next drawing is loaded as if nothing had happened.
import assert from 'node:assert/strict';
import test from 'node:test';

import { BoxwoodError, init, open } from '@boxwood-rs/svg';

const SVG = 'xmlns="http://www.w3.org/2000/svg"';
const MIB = 2 ** 20;

function works() {
    const { rows } = open(`<svg ${SVG} width="9" height="9"><rect id="r" width="5" height="5"/></svg>`).query({ id: 'r' });
    assert.equal(rows[0].width, 5);
}

test('deep drawings are loaded, or refused', async () => {
    await init();
    let deepest = 0;
    for (const depth of [10, 100, 300, 1000, 1024, 1100, 5000, 100000]) {
        for (const tag of ['g', 'svg', 'a']) {
            const text = `<svg ${SVG} width="9" height="9">${`<${tag}>`.repeat(depth)}<rect width="5" height="5"/>${`</${tag}>`.repeat(depth)}</svg>`;
            try {
                open(text).free();
                deepest = Math.max(deepest, depth);
            } catch (error) {
                assert.match(error.message, /levels of nested elements|nested too deeply/, `${depth} levels of ${tag}`);
            }
        }
        works();
    }
    assert.ok(deepest >= 100, `${deepest} levels`);
});

test('a drawing that needs too much memory ends only itself', async () => {
    await init({ maxMemory: 64 * MIB });
    const kept = open(`<svg ${SVG} width="9" height="9"><rect id="r" width="5" height="5"/></svg>`);
    const rects = (n) => `<svg ${SVG} width="9" height="9">${'<rect width="5" height="5"/>'.repeat(n)}</svg>`;
    open(rects(1000)).free();
    assert.throws(() => open(rects(500000)), (error) => {
        assert.ok(error instanceof BoxwoodError);
        assert.match(error.message, /needs more memory than `maxMemory` .* \(it used \d+ of 64 MiB\)$/);
        return true;
    });
    works();
    // The drawing was in the instance that has ended.
    assert.equal(kept.bbox('#r').width, 5);
    await init({ maxMemory: 1024 * MIB });
    works();
});

test('a bomb is refused', async () => {
    await init();
    const { gzipSync } = await import('node:zlib');
    assert.throws(() => open(gzipSync(Buffer.alloc(600 * MIB, ' '))), BoxwoodError);
    const entities = Array.from({ length: 9 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('');
    const bomb = `<!DOCTYPE svg [<!ENTITY e0 "lol">${entities}]><svg ${SVG} width="9" height="9"><text>&e9;</text></svg>`;
    assert.throws(() => open(bomb), BoxwoodError);
    works();
});

test('10,000 drawings leave no memory behind', async () => {
    // Each takes more than 10 kB while it is open, so that a leak would exceed the memory.
    await init({ maxMemory: 32 * MIB });
    const text = `<svg ${SVG} width="99" height="99">${'<g opacity=".5"><path d="M0 0h9v9z"/></g>'.repeat(10)}</svg>`;
    for (let i = 0; i < 10000; i += 1) {
        const drawing = open(text);
        assert.ok(drawing.boxes({ kinds: 'clipped' }).length >= 10);
        drawing.free();
    }
});
