// The rows of the package are those of the command, for every drawing in a folder.
//
// The command reads standard input, so that neither of them has images in other files.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import test from 'node:test';

import { init, open } from '@boxwood-rs/svg';

const command = process.env.BOXWOOD_BIN;
const folders = process.env.BOXWOOD_DRAWINGS.split(':');
const every = Number(process.env.BOXWOOD_EVERY ?? 1);
const fonts = [readFileSync(process.env.BOXWOOD_FONT)];

await init({ text: true });

const QUESTIONS = [
    [['query'], (drawing) => drawing.query()],
    [
        ['query', '--include', 'fill,stroke,markers', '--space', 'local'],
        (drawing) => drawing.query({ include: ['fill', 'stroke', 'markers'], space: 'local' }),
    ],
    [['audit'], (drawing) => drawing.audit()],
];

test('answers are those of the command', { timeout: 3600e3 }, () => {
    const files = folders.flatMap(drawingsIn).filter((_, index) => index % every === 0);
    assert.ok(files.length > 0, `no drawings in ${folders}`);
    const different = [];
    let [answers, errors] = [0, 0];
    for (const file of files) {
        const bytes = readFileSync(file);
        for (const [args, answer] of QUESTIONS) {
            const expected = ofCommand(args, bytes);
            const found = ofPackage(bytes, answer);
            if (expected.error !== undefined) errors += 1;
            answers += 1;
            if (isException(file, found)) break;
            if (JSON.stringify(found) !== JSON.stringify(expected)) {
                different.push(`${file} (${args[0]}): ${difference(found, expected)}`);
                break;
            }
        }
    }
    console.log(`${files.length} drawings, ${answers} answers, ${errors} of them errors, ${different.length} different`);
    assert.deepEqual(different, []);
});

/** The drawings that the package answers for in another way, and why. */
const EXCEPTIONS = {
    // The stack of Node.js ends between 300 and 900 levels, depending on the elements.
    'deep_900.svg': ({ error }) => error?.includes('nested too deeply'),
    'deep_1000.svg': ({ error }) => error?.includes('nested too deeply'),
    'e07_deep1000.svg': ({ error }) => error?.includes('nested too deeply'),
    // The package reads the sizes of raster images, and does not decode them. The data of this one is damaged.
    'imguse.svg': ({ error }) => error === undefined,
};

function isException(file, found) {
    const isExpected = EXCEPTIONS[basename(file)]?.(found) ?? false;
    if (isExpected) console.log(`${file}: ${found.error ?? 'an image is not decoded'}`);
    return isExpected;
}

function ofPackage(bytes, answer) {
    let drawing;
    try {
        drawing = open(bytes, { fonts });
        const found = answer(drawing);
        return Array.isArray(found) ? found : [found.warnings, found.rows];
    } catch (error) {
        return { error: error.message };
    } finally {
        drawing?.free();
    }
}

function ofCommand([name, ...more], bytes) {
    const backend = name === 'query' ? ['--backend', 'cpu'] : [];
    const args = [name, '-', '--format', 'json', '--no-system-fonts', ...backend, ...more];
    const { stdout, stderr } = spawnSync(command, args, { input: bytes, maxBuffer: 2 ** 30 });
    const { files: [file], errors: [error] } = JSON.parse(stdout);
    if (error !== undefined) return { error: error.message.replace('cannot load standard input: ', '') };
    if (file === undefined) throw new Error(`${args.join(' ')}: ${stderr}`);
    return name === 'query' ? [file.warnings, file.rows] : file.findings;
}

/** The first difference of two values, for people. */
function difference(a, b, path = '') {
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
        return a === b ? null : `${path}: ${JSON.stringify(a)} instead of ${JSON.stringify(b)}`;
    }
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    for (const key of keys) {
        const found = difference(a[key], b[key], `${path}.${key}`);
        if (found) return found;
    }
    return null;
}

function drawingsIn(folder) {
    const names = readdirSync(folder, { recursive: true }).filter((name) => /\.svgz?$/i.test(name)).sort();
    return names.map((name) => join(folder, name)).filter((file) => statSync(file).isFile());
}
