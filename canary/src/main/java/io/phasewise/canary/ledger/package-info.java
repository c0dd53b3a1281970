/**
 * What became of every probe: in flight, delivered, late, lost or never sent; duplicates and order.
 *
 * <p>This room alone owns correctness. It knows no network and no clock of its own.
 */
package io.phasewise.canary.ledger;
