import { UpdateId } from '@coinlab/core';

const UPDATE_TEXT = /^1220([0-9a-f]{52})0{12}$/;

/**
 * `1220`, the 26 characters of the core's id in hex, and zeros: the conversion needs no table.
 * Source: specification of the API §0.4.
 */
export function updateIdText(updateId: string): string {
  return `1220${Buffer.from(updateId, 'latin1').toString('hex').padEnd(64, '0')}`;
}

/** Parses an update id of the network's APIs or of the core. Returns null for any other text. */
export function updateIdOf(text: string): UpdateId | null {
  const hex = UPDATE_TEXT.exec(text)?.[1];
  const id = UpdateId.parse(hex === undefined ? text : Buffer.from(hex, 'hex').toString('latin1'));
  return id.ok ? id.value : null;
}
