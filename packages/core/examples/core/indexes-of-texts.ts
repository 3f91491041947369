import { Column, HashIndex, textHashOf } from '@coinlab/core/codec';

// Finds lines of a log by a text without keeping the texts: hashes collide, so the line is compared.
const lines = ['rent for May', 'rent for June', 'a bicycle'];
const index = new HashIndex();
for (const [at, line] of lines.entries()) index.add(textHashOf(line), at);

const lineOf = (text: string) => index.find(textHashOf(text), (at) => lines[at] === text);
console.log(lineOf('rent for June'), lineOf('a boat'), index.count);

// Ascending numbers in typed arrays, four bytes each: the updates of a party among millions.
const offsets = Column.ofWords();
for (const offset of [3, 8, 21]) offsets.push(offset);
console.log(offsets.slice(0, offsets.countUntil(8)));

// Prints:
// 1 undefined 3
// [ 3, 8 ]
