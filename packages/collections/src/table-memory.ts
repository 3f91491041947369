/**
 * Memory of a table that grows with a log, such as 8 KB at a time. It is shared memory, because V8 counts other array
 * buffers: once they have grown by 64 MB it collects, and every read of a socket until the end of that collection waits
 * for 5 to 10 ms of its work. A page in a browser has shared memory only if it is isolated from other origins.
 */
export function tableMemory(bytes: number): ArrayBufferLike {
  return typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);
}
