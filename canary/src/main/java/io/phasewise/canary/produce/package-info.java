/** The way out: probes into Kafka, acknowledgements and failures into the ledger. */
package io.phasewise.canary.produce;
