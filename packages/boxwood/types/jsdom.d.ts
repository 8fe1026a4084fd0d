/**
 * Gives the elements of SVG in a window of jsdom or happy-dom the functions that need a layout: `getBBox`,
 * `getBoundingClientRect`, and `getComputedTextLength`. An import does it for `globalThis`, if that is such a window.
 */
export function install(window: object, options?: { fonts?: readonly Uint8Array[] }): void;
