import { useSignal } from '@preact/signals';
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualItem,
} from '@tanstack/virtual-core';
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { grouped } from '../format/amounts.js';
import { useFresh } from './fresh.js';

interface Column<Row> {
  readonly title: string;
  readonly isNumber?: boolean;
  readonly width?: string;
  readonly cell: (row: Row) => ComponentChildren;
}

interface RowsProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  readonly classOf?: (row: Row) => string;
}

const ROW_PIXELS = 40;
/** Number of rows above which a table is virtual. With fewer rows, the page scrolls instead of the table. */
const VIRTUAL_ABOVE = 60;

/** A long table draws only the rows on the screen, so that a hundred thousand coins scroll. */
export function Rows<Row>(props: RowsProps<Row>): JSX.Element {
  return props.rows.length > VIRTUAL_ABOVE ? <VirtualRows {...props} /> : <AllRows {...props} />;
}

function AllRows<Row>({ label, rows, columns, keyOf, classOf }: RowsProps<Row>): JSX.Element {
  const fresh = useFresh(rows.map(keyOf));
  return (
    <div class="table" role="table" aria-label={label} style={{ '--columns': widths(columns) }}>
      <HeadRow columns={columns} />
      <div role="rowgroup">
        {rows.map((row) => (
          <Line
            key={keyOf(row)}
            row={row}
            columns={columns}
            className={classOf?.(row) ?? (fresh.has(keyOf(row)) ? 'made' : '')}
          />
        ))}
      </div>
    </div>
  );
}

function VirtualRows<Row>({ label, rows, columns, keyOf, classOf }: RowsProps<Row>): JSX.Element {
  const element = useRef<HTMLDivElement>(null);
  const drawn = useSignal<{ readonly items: readonly VirtualItem[]; readonly height: number }>({
    items: [],
    height: 0,
  });
  const virtualizer = useMemo(
    () =>
      new Virtualizer<HTMLDivElement, HTMLDivElement>({
        count: rows.length,
        getScrollElement: () => element.current,
        estimateSize: () => ROW_PIXELS,
        overscan: 8,
        observeElementRect,
        observeElementOffset,
        scrollToFn: elementScroll,
        onChange: (changed) => {
          drawn.value = { items: changed.getVirtualItems(), height: changed.getTotalSize() };
        },
      }),
    [],
  );
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => {
    virtualizer.setOptions({ ...virtualizer.options, count: rows.length });
    virtualizer._willUpdate();
    virtualizer.measure();
  }, [rows.length]);
  const { items, height } = drawn.value;
  const end = useRef<HTMLSpanElement>(null);
  return (
    <>
      {/* Rows appear as the focus moves down: without this, the keyboard would have to pass all of them. */}
      <button type="button" class="skip-rows" onClick={() => end.current?.focus()}>
        Skip {grouped(rows.length)} rows
      </button>
      <div
        ref={element}
        class="table scroll"
        role="table"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        tabIndex={0}
        style={{ '--columns': widths(columns) }}
      >
        <HeadRow columns={columns} />
        <div role="rowgroup" style={{ height: `${height}px`, position: 'relative' }}>
          {items.map(({ index, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <Line
                key={keyOf(row)}
                row={row}
                columns={columns}
                className={classOf?.(row) ?? ''}
                place={{ index: index + 2, top: start }}
              />
            );
          })}
        </div>
      </div>
      <span ref={end} tabIndex={-1} />
    </>
  );
}

function HeadRow<Row>({ columns }: { readonly columns: readonly Column<Row>[] }): JSX.Element {
  return (
    <div role="rowgroup" class="thead">
      <div role="row" class="tr">
        {columns.map(({ title, isNumber }) => (
          <span key={title} role="columnheader" class={isNumber ? 'number' : ''}>
            {title}
          </span>
        ))}
      </div>
    </div>
  );
}

interface LineProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly className: string;
  readonly place?: { readonly index: number; readonly top: number };
}

function Line<Row>({ row, columns, className, place }: LineProps<Row>): JSX.Element {
  return (
    <div
      role="row"
      class={`tr ${className}`}
      {...(place
        ? { 'aria-rowindex': place.index, style: { position: 'absolute', top: `${place.top}px`, left: 0, right: 0 } }
        : {})}
    >
      {columns.map(({ title, isNumber, cell }) => (
        <span key={title} role="cell" data-title={title} class={isNumber ? 'number' : ''}>
          {cell(row)}
        </span>
      ))}
    </div>
  );
}

function widths<Row>(columns: readonly Column<Row>[]): string {
  return columns.map(({ width = 'minmax(0, 1fr)' }) => width).join(' ');
}
