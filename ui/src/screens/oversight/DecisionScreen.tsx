// One item that waits for a person: why, what the permit system answered and has of it, what was handed in, and what can
// be done, as the station says. Each decision needs a reason, which is kept with it.

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../api/backend'
import type { ItemView } from '../../api/generated/wire'
import { Button } from '../../components/Button'
import { Empty, ErrorState, Loading } from '../../components/states'
import { InFrame } from '../../frame/InFrame'
import { go } from '../../frame/routes'
import { useBackend } from '../../frame/StandingContext'
import { useKey } from '../../keys/Keys'
import { ItemPill } from '../records/ItemPill'
import { useWhat, useWhyWord } from '../records/itemWords'
import { Said } from '../records/Said'
import type { Parts } from '../screens'
import { ConflictForm } from './ConflictForm'
import { Answer, HandedIn, ItemFacts } from './DecisionFacts'
import { DecisionForm, type DecisionProps } from './DecisionForm'
import { DecidedLine } from './decided'
import { LookedForm } from './LookedForm'
import { isOffered } from './looking'
import { useUndecided } from './useUndecided'
import './oversight.css'

const SKELETON_ROWS = 6

export function DecisionScreen({ parts }: Parts) {
  const { t } = useTranslation()
  const [id = ''] = parts
  const backend = useBackend()
  const item = useQuery({ queryKey: ['item', id], queryFn: () => backend.item(id) })
  if (item.error instanceof Refusal && item.error.code === 'not_found')
    return (
      <Empty action={{ word: t('decide.to_list'), act: () => go('oversight/decide') }}>
        {t('decide.not_found')}
      </Empty>
    )
  if (item.isError)
    return (
      <ErrorState
        what={t('decide.item_failed')}
        safe={t('decide.failed_safe')}
        code="HF-503"
        onAgain={() => void item.refetch()}
      />
    )
  if (!item.data) return <Loading rows={SKELETON_ROWS} label={t('decide.item_loading')} />
  return <Opened key={id} item={item.data} />
}

function Opened({ item }: { item: ItemView }) {
  const { t } = useTranslation()
  const what = useWhat()
  const places = usePlaces(item.operation_id)
  const title = item.address
    ? t('decide.title', { what: what(item), place: item.address })
    : t('decide.title_bare', { what: what(item), number: item.receipt_no })
  const frame = {
    title,
    aside: <Place places={places} />,
    side: { label: t('decide.item'), content: <ItemFacts item={item} /> },
  }
  return (
    <>
      <DecidedLine />
      {item.state === 'quarantined' ? <Why item={item} /> : <AlreadyDecided item={item} />}
      <Said item={item} />
      {item.state === 'quarantined' ? (
        <Deciding item={item} next={places.after} frame={frame} />
      ) : (
        <InFrame {...frame} actions={<Onward next={places.after} />} />
      )}
      <HandedIn item={item} />
    </>
  )
}

function Deciding(props: DecisionProps) {
  const { conflict, offered } = props.item
  if (conflict) return <ConflictForm {...props} conflict={conflict} />
  return isOffered(offered?.decisions ?? [], 'found') ? (
    <LookedForm {...props} />
  ) : (
    <DecisionForm {...props} />
  )
}

type Places = { at: number; of: number; before: string | null; after: string | null }

/** Where the item stands among those that wait for a decision; one decided meanwhile stands nowhere. */
function usePlaces(id: string): Places {
  const rows = useUndecided().data?.rows ?? []
  const ids = rows.map(({ operation_id }) => operation_id)
  const at = ids.indexOf(id)
  if (at === -1) return { at: 0, of: ids.length, before: null, after: ids[0] ?? null }
  const after = ids[at + 1] ?? (at > 0 ? ids[0] : null) ?? null
  return { at: at + 1, of: ids.length, before: ids[at - 1] ?? null, after }
}

function Place({ places: { at, of, before, after } }: { places: Places }) {
  const { t } = useTranslation()
  const last = at === of
  const forward = after !== null && !last ? () => go(`decision/${after}`) : null
  const back = before !== null ? () => go(`decision/${before}`) : null
  useKey('next_item', forward)
  useKey('previous_item', back)
  if (at === 0) return null
  return (
    <span className="decision-place">
      {t('decide.place', { at, of })}
      {back && (
        <Button kind="quiet" keyId="previous_item" onPress={back}>
          {t('decide.previous')}
        </Button>
      )}
      {forward && (
        <Button kind="quiet" keyId="next_item" onPress={forward}>
          {t('decide.next')}
        </Button>
      )}
    </span>
  )
}

function Why({ item }: { item: ItemView }) {
  const { t } = useTranslation()
  const why = useWhyWord()
  return (
    <section className="block">
      <h2>{t('decide.why')}</h2>
      <p>{why(item.reason)}</p>
      {isOffered(item.offered?.decisions ?? [], 'found') && <WhatToLookAt item={item} />}
      {item.followers > 0 && <p>{t('decide.followers', { count: item.followers })}</p>}
      <Answer item={item} />
    </section>
  )
}

/** Only a person can look there: what for, and what to do with what is found. */
function WhatToLookAt({ item }: { item: ItemView }) {
  const { t } = useTranslation()
  const under = [item.permit_num, item.address].filter((one) => one !== null).join(', ') || item.receipt_no
  return <p>{t(item.said?.twin ? 'looked.twin' : 'looked.unprovable', { under })}</p>
}

/** Someone else was faster, or it settled by itself: nothing more can be done here. */
function AlreadyDecided({ item }: { item: ItemView }) {
  const { t } = useTranslation()
  return (
    <section className="block">
      <h2>{t('decide.meanwhile')}</h2>
      <p>
        <ItemPill item={item} />
      </p>
    </section>
  )
}

function Onward({ next }: { next: string | null }) {
  const { t } = useTranslation()
  const to = next ? `decision/${next}` : 'oversight/decide'
  return (
    <>
      <span />
      <Button kind="primary" keyId="primary" onPress={() => go(to)}>
        {t(next ? 'decide.next_item' : 'decide.to_list')}
      </Button>
    </>
  )
}
