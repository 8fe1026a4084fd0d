// What a program gets from the package.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { BoxwoodError, init, initSync, open } from '@boxwood-rs/svg';

const font = readFileSync(process.env.BOXWOOD_FONT);
await init({ text: true });

const SVG = 'xmlns="http://www.w3.org/2000/svg"';
const drawing = open(`<svg ${SVG} width="100" height="80" viewBox="0 0 50 40">
    <clipPath id="c"><rect width="20" height="20"/></clipPath>
    <g id="logo" clip-path="url(#c)" transform="translate(5 0)">
        <rect id="r" x="10" y="10" width="30" height="20" stroke="red" stroke-width="4"/></g>
    <circle id="out" cx="50" cy="20" r="4"/>
</svg>`);

test('a drawing has a size, and boxes of every kind', () => {
    assert.deepEqual([drawing.width, drawing.height, drawing.warnings, drawing.mayChange], [100, 80, [], []]);
    assert.deepEqual(drawing.bbox('#r'), { x: 10, y: 10, width: 30, height: 20 });
    assert.deepEqual(drawing.bbox('#r', { stroke: true }), { x: 8, y: 8, width: 34, height: 24 });
    assert.deepEqual(drawing.ink('#logo'), { x: 26, y: 16, width: 24, height: 24 });
    assert.deepEqual(drawing.ink({ id: ['r', 'out'] }), { x: 26, y: 16, width: 74, height: 32 });
    const kinds = drawing.boxes({ id: 'r', kinds: ['leaf', 'clipped'] }).map(({ kind, box }) => [kind, box]);
    assert.deepEqual(kinds, [['leaf', [26, 16, 94, 64]], ['clipped', [26, 16, 50, 40]]]);
    const sets = drawing.boxes({ select: '#r', include: [['fill'], ['fill', 'stroke']], space: 'local' });
    assert.deepEqual(sets.map(({ include, box }) => [include, box]), [
        [['fill'], [10, 10, 40, 30]],
        [['fill', 'stroke'], [8, 8, 42, 32]],
    ]);
    const { schema, unit, rows } = drawing.query({ id: 'r', kinds: 'leaf', unit: 'user' });
    assert.deepEqual([schema, unit, rows[0].width], [6, 'user', 34]);
});

test('places have elements, the top-most first', () => {
    assert.deepEqual(drawing.at(30, 20).map(({ name, clips }) => [name, clips.map(({ effect }) => effect)]), [
        ['r', ['clip-path', 'viewport']],
        ['logo', ['clip-path', 'viewport']],
        ['/svg', ['viewport']],
    ]);
    assert.deepEqual(drawing.at(93, 33, { precise: true }).map(({ name }) => name), []);
    assert.deepEqual(drawing.within(90, 30, 20, 20).map(({ name }) => name), ['out', '/svg']);
});

test('elements are explained, audited, and cropped', () => {
    const [{ parts }] = drawing.explain('#r');
    assert.equal(parts[0].steps[0].effect, 'clip-path');
    assert.deepEqual(drawing.outside().map(({ name, outside }) => [name, outside.right]), [['out', 8]]);
    const clipped = open(`<svg ${SVG} width="9" height="9"><rect id="a" x="20" width="5" height="5"/></svg>`);
    assert.deepEqual(clipped.audit().map(({ kind, name }) => [kind, name]), [['off-canvas', 'a']]);
    assert.deepEqual(clipped.audit({ kinds: 'covered' }), []);
    assert.match(drawing.crop({ padding: 2, square: true, id: 'r' }), /viewBox="[\d.-]+ [\d.-]+ ([\d.]+) \1"/);
    const cropped = open(drawing.crop({ id: 'r' }));
    assert.deepEqual([cropped.width, cropped.height, cropped.cropBytes({ id: 'r' })], [24, 24, null]);
});

test('a text has a box only with a font', () => {
    const text = `<svg ${SVG} width="100" height="50"><text id="t" y="30">Text</text></svg>`;
    const without = open(text);
    assert.equal(without.bbox('#t'), null);
    assert.match(without.warnings[0].message, /^a text, for which no font is given, has no box, and clips nothing$/);
    assert.equal(without.boxes({ id: 't' })[0].reason, 'no-font');
    assert.throws(() => without.crop(), /a text has no box without a font/);
    const fonts = [font];
    const { width, height } = open(text, { fonts }).bbox('#t');
    assert.ok(width > 25 && width < 40 && height > 15 && height < 30, `${width} × ${height}`);
    assert.throws(() => open(text, { fonts: [new Uint8Array(9)] }), /^BoxwoodError: font 1 cannot be read/);
});

test('a string has no encoding, and bytes have the one that they declare', () => {
    const body = `<svg ${SVG} width="9" height="9"><rect id="é" width="5" height="5"/></svg>`;
    const declared = `<?xml version="1.0" encoding="ISO-8859-1"?>${body}`;
    const latin = Uint8Array.from(declared, (character) => character.charCodeAt(0));
    for (const svg of [body, declared, latin, new TextEncoder().encode(body).buffer]) {
        assert.equal(open(svg).boxes({ id: 'é', kinds: 'leaf' })[0].width, 5);
    }
    assert.match(open(latin).crop(), /é/);
    const wide = Uint8Array.from([0xff, 0xfe, ...Buffer.from(body, 'utf16le')]);
    const cropped = open(wide).cropBytes();
    assert.deepEqual([...cropped.subarray(0, 2)], [0xff, 0xfe]);
    assert.match(open(wide).crop(), /^<svg .*é/);
    const wrong = new TextEncoder().encode(declared.replace('ISO-8859-1', 'none'));
    assert.throws(() => open(wrong), /the text is not in the encoding none: save the file as UTF-8/);
});

test('errors have the text of the command, and a place', () => {
    const error = thrown(() => open(`<svg ${SVG}>\n  <rect></svg>`));
    assert.ok(error instanceof BoxwoodError);
    assert.match(error.message, /^the text is not well-formed XML: .* at 2:9$/);
    assert.deepEqual([error.line, error.column], [2, 9]);
    for (const [work, message] of [
        [() => open(''), 'the input is empty'],
        [() => open('<html/>'), 'the root element is <html>, not <svg>'],
        [() => open(new Uint8Array([0x25, 0x50, 0x44, 0x46])), 'this is a PDF document, not an SVG drawing'],
        [() => open(`<svg ${SVG} width="0"/>`), /the drawing has no valid size/],
        [() => open(5), /must be a string, a Uint8Array, or an ArrayBuffer/],
        [() => open('<svg/>', { font: [] }), /there is no option `font`/],
        [() => open('<svg/>', { fonts: new Uint8Array(9) }), /fonts must be a list of Uint8Arrays/],
        [() => open('<svg/>', null), /open: `null` is not an object with options/],
        [() => initSync({ maxMemory: 2 ** 33 }), /maxMemory must be a number of bytes, at most/],
        [() => initSync({ maxMemory: 1000 }), /maxMemory must be at least/],
        [() => drawing.bbox(undefined), /bbox: name an element/],
        [() => drawing.bbox(['#r']), /is not an object with options/],
        [() => drawing.explain({}), /explain: name an element/],
        [() => drawing.crop('circle'), /crop: `circle` is not an object with options/],
        [() => drawing.boxes({ at: [1, 2], within: [1, 2, 3, 4] }), /`at` and `within` are two places/],
        [() => drawing.boxes({ zoom: 'x' }), /zoom `x` is not a number/],
        [() => drawing.bbox('#none'), 'no element matches the selector `#none`'],
        [() => drawing.bbox('##'), /selector/],
        [() => drawing.ink({ id: '#r' }), /an id is written without #, as `r`/],
        [() => drawing.boxes({ kinds: 'inner' }), /`inner` is not a kind of box: use leaf, clipped/],
        [() => drawing.boxes({ kind: 'leaf' }), /there is no option `kind`: it has id, select, kinds/],
        [() => drawing.boxes({ space: 'local' }), /the space local is for object boxes: add include/],
        [() => drawing.at(NaN, 0), /number/],
        [() => drawing.crop({ padding: -1 }), /padding `-1`: it must be a number that is not negative/],
        [() => drawing.outside({ of: 'screen' }), /neither `viewBox` nor `canvas`/],
    ]) {
        assert.throws(work, { name: 'BoxwoodError', message });
    }
});

test('a drawing cannot be used after it is freed', () => {
    const freed = open(`<svg ${SVG} width="9" height="9"/>`);
    freed.free();
    freed.free();
    assert.throws(() => freed.boxes(), /used after free/);
});

function thrown(work) {
    try {
        work();
    } catch (error) {
        return error;
    }
    assert.fail('nothing is thrown');
}
