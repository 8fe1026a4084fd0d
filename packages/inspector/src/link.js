import { decoded, inflated } from './source.js';

/** The longest compressed text in a link, in bytes. Longer addresses do not survive mails and chats. */
export const MAX_LINK = 12 * 1024;

/** The longest text that a link is decompressed to, in bytes. */
const MAX_LINKED = 8 * 2 ** 20;

/**
 * The fragment of an address with a whole drawing: its text, compressed, in the alphabet of base64url.
 *
 * @returns {Promise<string | null>} `null` if the drawing is too large.
 */
export async function fragmentOf({ name, bytes }, selectedPath) {
    const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    const compressed = new Uint8Array(await new Response(stream).arrayBuffer());
    if (compressed.length > MAX_LINK) return null;
    const parameters = new URLSearchParams({ name });
    if (selectedPath) parameters.set('select', selectedPath);
    parameters.set('svg', toBase64Url(compressed));
    return `#${parameters}`;
}

/** The drawing in the fragment of an address. `null` if there is none. */
export async function drawingIn(fragment) {
    const parameters = new URLSearchParams(fragment.replace(/^#/, ''));
    const svg = parameters.get('svg');
    if (svg === null) return null;
    const bytes = await inflated(fromBase64Url(svg), 'deflate-raw', MAX_LINKED);
    const name = parameters.get('name') || 'linked.svg';
    return { source: { name, bytes, text: decoded(bytes) }, select: parameters.get('select') };
}

function toBase64Url(bytes) {
    let binary = '';
    for (const byte of bytes) binary += String.fromCharCode(byte);
    return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text) {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
