import { HashIndex, textHashOf } from '@coinlab/core/codec';

// Finds lines of a log by a text without keeping the texts: hashes collide, so the line is compared.
const lines = ['rent for May', 'rent for June', 'a bicycle'];
const index = new HashIndex();
for (const [at, line] of lines.entries()) index.add(textHashOf(line), at);

const lineOf = (text: string) => index.find(textHashOf(text), (at) => lines[at] === text);
console.log(lineOf('rent for June'), lineOf('a boat'), index.count);

// Prints:
// 1 undefined 3
