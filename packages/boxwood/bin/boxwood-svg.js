#!/usr/bin/env node
import { accessSync, constants, readFileSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

import { initSync, open } from '../dist/node.js';

const HELP = `Usage: boxwood-svg COMMAND [OPTIONS] FILE...

Commands:
  crop    set the viewBox of each drawing to what it paints, in the file itself
  check   list what sticks out of the viewBox; the exit code is 1 if something does
  boxes   print the boxes of all elements as JSON lines

Options:
  --font FILE      a font for texts (may be repeated); without one, a text has no box
  --padding LENGTH with crop: leave this much space on each side, such as 2, 1mm, or 3user
  --square         with crop: make the canvas square
  --grow           with crop: show what sticks out of the viewBox as well
  --select CSS     with crop and boxes: only elements that this selector matches
  --tolerance PX   with check: only what sticks out by more than this
  -h, --help       print this
  --version        print the version

A folder stands for the .svg and .svgz files in it and in its folders, except for node_modules. Exit codes: 0, 1 (check: something
sticks out), 2 (an error).
`;

const options = {
    font: { type: 'string', multiple: true, default: [] },
    padding: { type: 'string' },
    square: { type: 'boolean', default: false },
    grow: { type: 'boolean', default: false },
    select: { type: 'string' },
    tolerance: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
    version: { type: 'boolean', default: false },
};

/** For each command, its work on a drawing. It returns whether something is wrong. */
const COMMANDS = {
    crop(drawing, file, { padding, square, select }, isCompressed) {
        const cropped = drawing.cropBytes({ padding, square, select });
        if (cropped !== null) {
            replace(file, isCompressed ? gzipSync(cropped, { level: 9 }) : cropped);
            console.log(`${file}: cropped`);
        }
        return false;
    },
    check(drawing, file, { tolerance = '0' }) {
        const isBeyond = ({ outside }) => Math.max(...Object.values(outside)) > Number(tolerance);
        const findings = drawing.outside().filter(isBeyond);
        for (const { line, column, element, name, explanation } of findings) {
            console.log(`${file}:${line}:${column}: <${element}> ${name} ${explanation}`);
        }
        return findings.length > 0;
    },
    boxes(drawing, file, { select }) {
        for (const row of drawing.boxes({ select })) console.log(JSON.stringify({ file, ...row }));
        return false;
    },
};

/** The options that each command has, besides `font`. */
const OPTIONS = { crop: ['padding', 'square', 'grow', 'select'], check: ['tolerance'], boxes: ['select'] };

function main() {
    let given;
    try {
        given = parseArgs({ options, allowPositionals: true });
    } catch (error) {
        return fail(`${error.message}\n\n${HELP}`);
    }
    const { values, positionals: [command, ...paths] } = given;
    if (values.help) {
        console.log(HELP.trimEnd());
        return 0;
    }
    if (values.version) {
        console.log(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version);
        return 0;
    }
    if (command === undefined) return fail(`there is no command\n\n${HELP.trimEnd()}`);
    if (!Object.hasOwn(COMMANDS, command)) return fail(`there is no command ${command}: use ${Object.keys(COMMANDS).join(', ')}`);
    if (paths.length === 0) return fail(`${command}: name a drawing or a folder`);
    const known = [...OPTIONS[command], 'font'];
    const misplaced = Object.keys(values).find((name) => values[name] && !known.includes(name));
    if (misplaced !== undefined) return fail(`--${misplaced} is not for ${command}`);
    const fonts = values.font.map((file) => readFileSync(file));
    initSync({ text: fonts.length > 0 });
    if (values.tolerance !== undefined && !(Number(values.tolerance) >= 0)) {
        return fail(`--tolerance ${values.tolerance} is not a number of pixels`);
    }
    const codes = paths.flatMap(drawingsIn).map((file) => run(COMMANDS[command], file, fonts, values));
    return codes.reduce((worst, code) => Math.max(worst, code), 0);
}

/** Works on a file, and returns the exit code. */
function run(work, file, fonts, values) {
    let drawing;
    try {
        const bytes = readFileSync(file);
        drawing = open(bytes, { fonts, clipToViewport: !values.grow });
        for (const { message, first } of drawing.warnings) {
            console.error(`warning: ${file}: ${message} (first at ${first})`);
        }
        return work(drawing, file, values, bytes[0] === 0x1f && bytes[1] === 0x8b) ? 1 : 0;
    } catch (error) {
        return fail(`${file}: ${error.message}`);
    } finally {
        drawing?.free();
    }
}

/** Replaces a file, or the file that a link leads to, when the new one is complete. */
function replace(path, bytes) {
    const file = realpathSync(path);
    accessSync(file, constants.W_OK);
    const { mode } = statSync(file);
    const temporary = `${file}.${process.pid}.tmp`;
    try {
        writeFileSync(temporary, bytes, { mode });
        renameSync(temporary, file);
    } catch (error) {
        rmSync(temporary, { force: true });
        throw error;
    }
}

/** The drawings in a folder, or the path itself. */
function drawingsIn(path) {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
    if (!isFolder) return [path];
    const names = readdirSync(path, { recursive: true }).sort();
    const isDrawing = (name) => /\.svgz?$/i.test(name) && !name.split(sep).includes('node_modules');
    const files = names.filter(isDrawing).map((name) => join(path, name));
    const found = files.filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? true);
    if (found.length === 0) throw new Error(`there is no .svg or .svgz file in ${path}`);
    return found;
}

function fail(message) {
    console.error(`error: ${message}`);
    return 2;
}

try {
    process.exitCode = main();
} catch (error) {
    // A font or a folder that cannot be read, for example.
    process.exitCode = fail(error.message);
}
