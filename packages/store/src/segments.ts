const SEGMENT_NAME = /^log-(\d{12})\.ndjson$/;

export function isSegment(name: string): boolean {
  return SEGMENT_NAME.test(name);
}

export function firstOffsetOf(segment: string): number {
  return Number(SEGMENT_NAME.exec(segment)?.[1]);
}

export function segmentName(firstOffset: number): string {
  return `log-${String(firstOffset).padStart(12, '0')}.ndjson`;
}
