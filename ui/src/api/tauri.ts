// The station behind the real window. The only file that knows Tauri: everything else speaks to the Backend port.
//
// Each call is one command of the shell, by the same name; a refusal comes back as ApiError, thrown.

import { invoke } from '@tauri-apps/api/core'
import { listen } from '@tauri-apps/api/event'
import type {
  ApplicationRow,
  ApplicationView,
  ContractView,
  DemoFault,
  DemoPerson,
  HouseView,
  ListRequest,
  QueueItemView,
  QueueRow,
  ReceiptView,
  SessionView,
  SignInRequest,
  StandingView,
  StationEvent,
  SubmitRequest,
} from './generated/wire'

const STATION_EVENT = 'station'

export const tauriBackend = {
  house: () => invoke<HouseView>('house'),
  standing: () => invoke<StandingView>('standing'),
  session: () => invoke<SessionView | null>('session'),
  signIn: (request: SignInRequest) => invoke<SessionView>('sign_in', { request }),
  /** As text: the station reads it strictly, and what this page wrote is what is judged. */
  submit: (request: SubmitRequest) => invoke<ReceiptView>('submit', { document: JSON.stringify(request) }),
  queue: (request: ListRequest) => invoke<QueueRow[]>('queue', { request }),
  operation: (key: string) => invoke<QueueItemView>('operation', { key }),
  applications: (request: ListRequest) => invoke<ApplicationRow[]>('applications', { request }),
  application: (id: string) => invoke<ApplicationView>('application', { id }),
  contract: () => invoke<ContractView>('contract'),
  refreshContract: () => invoke<ContractView>('refresh_contract'),
  /** Only in a demonstration; elsewhere the shell has no such commands and refuses them. */
  demo: {
    break: (fault: DemoFault) => invoke<null>('demo_break', { fault }),
    mend: () => invoke<null>('demo_mend'),
    switchPerson: (person: DemoPerson) => invoke<SessionView>('demo_switch', { person }),
  },
  /** Hears what the station tells every window; answers with how to stop. */
  listen: (hear: (event: StationEvent) => void): Promise<() => void> =>
    listen<StationEvent>(STATION_EVENT, ({ payload }) => hear(payload)),
}
