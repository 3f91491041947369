import { sha256 } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';

describe('the hash of a text', () => {
  // By sha256sum of coreutils, of the bytes of the text in UTF-8.
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['Zürich 10⁻¹⁰', 'f4ba40eec2bb01a5a32ca02c0ed3f9534f5a8f8458d5721843efdecb2ec0c702'],
  ])('%j is that of its bytes', (text, hash) => {
    expect(sha256(text)).toBe(hash);
  });
});
