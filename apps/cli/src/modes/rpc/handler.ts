import type { AgentSeat } from "./agent-seat.ts";
import type { RpcCommandName, RpcLoginStep, RpcParams, RpcResult } from "./protocol.ts";

/** What a handler may use. */
export interface RpcHost {
  readonly seat: AgentSeat;
  /** Fires when the program is to end. */
  readonly signal: AbortSignal;
  /** Sends an event that is not the agent's. */
  readonly emit: (event: RpcLoginStep) => Promise<void>;
  /** Tells of what failed after its command was answered. */
  readonly report: (error: unknown) => void;
}

export type RpcHandlers = {
  readonly [Name in RpcCommandName]: (host: RpcHost, params: RpcParams<Name>) => Promise<RpcResult<Name>>;
};
