/** What a session may be in, and what each state allows. */
export type SessionStatus = 'starting' | 'running' | 'stopping' | 'exited' | 'failed' | 'destroyed';

interface StatusPolicy {
  /** No process stands behind the session any more, and none ever will. */
  readonly terminal: boolean;
  /** The garbage collector may remove the session's folder. */
  readonly collectable: boolean;
  /** The host still takes commands for it. */
  readonly commandable: boolean;
}

export const SESSION_STATUS_POLICIES: Record<SessionStatus, StatusPolicy> = {
  starting: { terminal: false, collectable: false, commandable: false },
  running: { terminal: false, collectable: false, commandable: true },
  stopping: { terminal: false, collectable: false, commandable: false },
  exited: { terminal: true, collectable: true, commandable: false },
  failed: { terminal: true, collectable: true, commandable: false },
  destroyed: { terminal: true, collectable: false, commandable: false },
};

export function isTerminalStatus(status: SessionStatus): boolean {
  return SESSION_STATUS_POLICIES[status].terminal;
}

export function isCollectableStatus(status: SessionStatus): boolean {
  return SESSION_STATUS_POLICIES[status].collectable;
}

export function isCommandableStatus(status: SessionStatus): boolean {
  return SESSION_STATUS_POLICIES[status].commandable;
}
