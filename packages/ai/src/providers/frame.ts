/** One server-sent event as it stood on the wire: its name, if it had one, and its undecoded data. */
export interface WireFrame {
  readonly event: string | null;
  readonly data: string;
}
