/** The most bytes that a compressed text may have when it is decompressed: the limit of Boxwood for SVGZ files. */
const MAX_INFLATED = 256 * 2 ** 20;

/** The longest part of a line that an excerpt shows, in characters. */
const EXCERPT_WIDTH = 96;

/** The longest part of a start tag that is shown, in characters. */
const MAX_TAG = 400;

/**
 * The text of a drawing, and where it comes from.
 *
 * @typedef {{ name: string, bytes: Uint8Array, text: string }} Source
 */

/** A drawing in a file, which may be compressed. */
export async function sourceOfFile(file) {
    let bytes = new Uint8Array(await file.arrayBuffer());
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
        bytes = await inflated(bytes, 'gzip', MAX_INFLATED);
    }
    return { name: file.name.replace(/\.svgz$/i, '.svg'), bytes, text: decoded(bytes) };
}

/** A drawing as a text. It has no encoding, so a mark of UTF-8 replaces the one that it declares. */
export function sourceOfText(name, text) {
    const bytes = new TextEncoder().encode(text.startsWith('<?xml') ? `\ufeff${text}` : text);
    return { name, bytes, text };
}

/** Decompresses bytes, up to a limit. */
export async function inflated(bytes, format, limit) {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format)).getReader();
    const chunks = [];
    let length = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        length += value.length;
        if (length > limit) {
            await reader.cancel();
            throw new Error(`the decompressed text has more than ${limit} bytes`);
        }
        chunks.push(value);
    }
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** The text in bytes, in the encoding of their mark or of their XML declaration. */
export function decoded(bytes) {
    const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
    let encoding = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/.exec(start)?.[1] ?? 'utf-8';
    if (bytes[0] === 0xff && bytes[1] === 0xfe) encoding = 'utf-16le';
    if (bytes[0] === 0xfe && bytes[1] === 0xff) encoding = 'utf-16be';
    if (bytes[0] === 0xef && bytes[1] === 0xbb) encoding = 'utf-8';
    try {
        return new TextDecoder(encoding).decode(bytes);
    } catch {
        // Boxwood reports an encoding that does not exist.
        return new TextDecoder().decode(bytes);
    }
}

/** Whether a text, or a drawing that is embedded in it, may have texts that need fonts. */
export function mayHaveText(text) {
    return /<(?:[\w.-]+:)?text[\s>/]|data:image\/svg/i.test(text);
}

/**
 * The lines around a place, cut to a width around its column.
 *
 * @returns {{ number: number, text: string, mark: number }[]} `mark` is the index of the place in its line, or -1.
 */
export function excerpt(text, line, column, nAround = 2) {
    const first = Math.max(line - nAround, 1);
    const lines = linesFrom(text, first, line + nAround);
    const start = column > EXCERPT_WIDTH - 16 ? column - EXCERPT_WIDTH / 2 : 0;
    return lines.map((content, index) => {
        const characters = [...content.slice(0, start + 4 * EXCERPT_WIDTH)];
        const cut = characters.slice(start, start + EXCERPT_WIDTH).join('').replaceAll('\t', ' ');
        const number = first + index;
        const before = start > 0 && cut !== '' ? '…' : '';
        const after = characters.length > start + EXCERPT_WIDTH ? '…' : '';
        return {
            number,
            text: before + cut + after,
            mark: number === line ? column - 1 - start + before.length : -1,
        };
    });
}

/** The start tag at a place in a text, without its end if it is long. */
export function startTag(text, line, column) {
    const [first = ''] = linesFrom(text, line, line);
    // The column counts characters, of which some are two units of a string.
    const before = [...first.slice(0, 2 * column)].slice(0, column - 1).join('').length;
    const start = offsetOf(text, line) + before;
    const [tag] = /^<(?:[^>"']|"[^"]*"|'[^']*')*>?/.exec(text.slice(start, start + MAX_TAG)) ?? [''];
    return tag.replace(/\s+/g, ' ') + (tag.endsWith('>') ? '' : '…');
}

/** Some lines of a text, which may be large. */
function linesFrom(text, first, last) {
    const lines = [];
    let start = offsetOf(text, first);
    for (let number = first; number <= last; number += 1) {
        const end = text.indexOf('\n', start);
        lines.push(text.slice(start, end === -1 ? undefined : end).replace(/\r$/, ''));
        if (end === -1) break;
        start = end + 1;
    }
    return lines;
}

/** Where a line starts in a text. */
function offsetOf(text, line) {
    let start = 0;
    for (let number = 1; number < line; number += 1) start = text.indexOf('\n', start) + 1;
    return start;
}
