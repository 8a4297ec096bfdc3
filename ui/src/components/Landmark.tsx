// A region of the window, registered with React Aria's landmarks: F6 and Shift+F6 go round them.

import { createElement, type ReactNode, useRef } from 'react'
import { type AriaLandmarkRole, useLandmark } from 'react-aria/useLandmark'

const elements = {
  banner: 'header',
  region: 'section',
  navigation: 'nav',
  main: 'main',
  complementary: 'aside',
  contentinfo: 'footer',
} as const

export type LandmarkRole = keyof typeof elements & AriaLandmarkRole

export function Landmark({
  role,
  label,
  className,
  children,
}: {
  role: LandmarkRole
  label: string
  className: string
  children: ReactNode
}) {
  const ref = useRef<HTMLElement>(null)
  const { landmarkProps } = useLandmark({ role, 'aria-label': label }, ref)
  return createElement(elements[role], { ...landmarkProps, ref, className }, children)
}
