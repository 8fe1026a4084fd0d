#!/usr/bin/env node
import { readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  --select CSS     with crop and boxes: only elements that this selector matches
  --help           print this

A folder stands for the .svg and .svgz files in it and in its folders. Exit codes: 0, 1 (check: something sticks out), 2 (an error).
`;

const options = {
    font: { type: 'string', multiple: true, default: [] },
    padding: { type: 'string' },
    square: { type: 'boolean', default: false },
    select: { type: 'string' },
    help: { type: 'boolean', default: false },
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
    check(drawing, file) {
        const findings = drawing.outside();
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
const OPTIONS = { crop: ['padding', 'square', 'select'], check: [], boxes: ['select'] };

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
    if (!Object.hasOwn(COMMANDS, command ?? '') || paths.length === 0) return fail(HELP.trimEnd());
    const known = [...OPTIONS[command], 'font', 'help'];
    const misplaced = Object.keys(values).find((name) => values[name] && !known.includes(name));
    if (misplaced !== undefined) return fail(`--${misplaced} is not for ${command}`);
    let fonts;
    try {
        fonts = values.font.map((file) => readFileSync(file));
    } catch (error) {
        return fail(error.message);
    }
    initSync({ text: fonts.length > 0 });
    const codes = paths.flatMap(drawingsIn).map((file) => run(COMMANDS[command], file, fonts, values));
    return Math.max(0, ...codes);
}

/** Works on a file, and returns the exit code. */
function run(work, file, fonts, values) {
    let drawing;
    try {
        const bytes = readFileSync(file);
        drawing = open(bytes, { fonts });
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

/** Replaces a file when the new one is complete. */
function replace(file, bytes) {
    const { mode } = statSync(file);
    const temporary = `${file}.${process.pid}.tmp`;
    writeFileSync(temporary, bytes, { mode });
    renameSync(temporary, file);
}

/** The drawings in a folder, or the path itself. */
function drawingsIn(path) {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
    if (!isFolder) return [path];
    const entries = readdirSync(path, { recursive: true }).sort();
    return entries.filter((name) => /\.svgz?$/i.test(name)).map((name) => join(path, name));
}

function fail(message) {
    console.error(`error: ${message}`);
    return 2;
}

process.exitCode = main();
