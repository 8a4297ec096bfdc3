// All components in all states, and the frame in each mode of the mode bar: what the look is judged by. Part of the
// program so that it can never lag behind it; reached by its address only.

import { useTranslation } from 'react-i18next'
import { Frame } from '../frame/Frame'
import { addressOf, useRoute } from '../frame/routes'
import { StandingProvider } from '../frame/StandingContext'
import { BooksShown, ButtonsShown, DialogsShown, PillsShown, StatesShown, TablesShown } from './Components'
import { FieldsShown } from './Fields'
import { FrameShown } from './FrameShown'
import { house, modes, now, session, standingOf } from './samples'
import './gallery.css'

export default function Gallery() {
  const { path } = useRoute()
  const mode = path.split('/')[2]
  if (mode && mode in modes) return <FrameShown mode={mode} />
  return <AllComponents />
}

function AllComponents() {
  const { t } = useTranslation()
  return (
    <StandingProvider value={{ house, standing: standingOf('calm'), session, lostSince: null, now }}>
      <Frame name={t('screen.gallery')} path="gallery" nav={[{ path: 'gallery', word: t('screen.gallery') }]}>
        <p>{t('gallery.intro')}</p>
        <section className="block">
          <h2>{t('gallery.modes')}</h2>
          <ul className="gallery-links">
            {Object.keys(modes).map((mode) => (
              <li key={mode}>
                <a href={addressOf(`gallery/frame/${mode}`)}>{`${t('gallery.open_mode')}: ${mode}`}</a>
              </li>
            ))}
          </ul>
        </section>
        <ButtonsShown />
        <PillsShown />
        <FieldsShown />
        <TablesShown />
        <StatesShown />
        <BooksShown />
        <DialogsShown />
      </Frame>
    </StandingProvider>
  )
}
