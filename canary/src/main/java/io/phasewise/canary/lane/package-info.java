/**
 * Decides which connection each probe travels on, so that none waits behind another. Owning the
 * producers behind the lanes is left to the caller.
 */
package io.phasewise.canary.lane;
