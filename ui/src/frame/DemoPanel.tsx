// In a demonstration only: breaks the permit system in each of the ways that it breaks in life, mends it, and changes
// who is signed in. Where the shell has no such commands there is no such panel.

import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Backend } from '../api/backend'
import type { DemoFault, DemoPerson } from '../api/generated/wire'
import { Button } from '../components/Button'
import { NoticeLine } from '../components/states'
import { useBackendIfAny } from './StandingContext'

const faults: readonly DemoFault[] = ['timeout', 'refuse', 'server_error', 'portal', 'succeeds_late']
const people: readonly DemoPerson[] = ['clerk', 'inspector', 'supervisor']

export function DemoPanel() {
  const demo = useBackendIfAny()?.demo
  return demo ? <Panel demo={demo} /> : null
}

function Panel({ demo }: { demo: NonNullable<Backend['demo']> }) {
  const { t } = useTranslation()
  const act = useMutation({ mutationFn: (change: () => Promise<unknown>) => change() })
  return (
    <section className="demo">
      <h3>{t('demo.title')}</h3>
      <p>{t('demo.break')}</p>
      <div className="button-row">
        {faults.map((fault) => (
          <Button key={fault} onPress={() => act.mutate(() => demo.break(fault))}>
            {t(`demo.fault.${fault}`)}
          </Button>
        ))}
        <Button icon="check_circle_outline" onPress={() => act.mutate(() => demo.mend())}>
          {t('demo.mend')}
        </Button>
      </div>
      <p>{t('demo.person')}</p>
      <div className="button-row">
        {people.map((person) => (
          <Button
            key={person}
            icon="account_circle"
            onPress={() => act.mutate(() => demo.switchPerson(person))}
          >
            {t(`role.${person}`)}
          </Button>
        ))}
      </div>
      {act.isError && <NoticeLine tone="attention">{t('demo.refused')}</NoticeLine>}
    </section>
  )
}
