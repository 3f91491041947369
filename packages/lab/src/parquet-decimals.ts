import type { FileMetaData, SchemaElement } from 'hyparquet';

/**
 * hyparquet would convert decimals to doubles. Changes the metadata.
 * @returns the number of decimal places by column
 */
export function rawDecimals(metadata: FileMetaData): ReadonlyMap<string, number> {
  const decimals = new Map<string, number>();
  for (const element of metadata.schema) {
    if (!isDecimal(element)) continue;
    decimals.set(element.name, element.scale ?? 0);
    delete element.converted_type;
    delete element.logical_type;
  }
  return decimals;
}

function isDecimal({ converted_type, logical_type, type }: SchemaElement): boolean {
  return (converted_type === 'DECIMAL' || logical_type?.type === 'DECIMAL') && type !== 'BYTE_ARRAY';
}

export function decimalText(raw: unknown, places: number): string {
  const digits = raw instanceof Uint8Array ? signed(raw) : BigInt(String(raw));
  const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0');
  const point = text.length - places;
  return `${digits < 0n ? '-' : ''}${text.slice(0, point)}${places === 0 ? '' : `.${text.slice(point)}`}`;
}

function signed(bytes: Uint8Array): bigint {
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}
