import { UpdateId } from '@coinlab/core';

const UPDATE_TEXT = /^1220([0-9a-f]{52})0{12}$/;

/**
 * Update ids as scan writes them: `1220` and 64 hex digits, here the 26 characters of the core's id and zeros, so that either can
 * be told from the other without a table.
 * Source: specification of the API §0.4.
 */
export function updateIdText(updateId: string): string {
  return `1220${Buffer.from(updateId, 'latin1').toString('hex').padEnd(64, '0')}`;
}

/** The core's id that a text stands for, in the network's form or its own; null for any other text. */
export function updateIdOf(text: string): UpdateId | null {
  const hex = UPDATE_TEXT.exec(text)?.[1];
  const id = UpdateId.parse(hex === undefined ? text : Buffer.from(hex, 'hex').toString('latin1'));
  return id.ok ? id.value : null;
}
