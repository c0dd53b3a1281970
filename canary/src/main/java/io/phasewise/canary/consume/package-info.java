/** The way back: records out of Kafka, deliveries into the ledger. */
package io.phasewise.canary.consume;
