/** The record that travels: how a probe is written to bytes and recognised again. */
package io.phasewise.canary.probe;
