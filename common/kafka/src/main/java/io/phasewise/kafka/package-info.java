/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What every Kafka client of the project relies on: how much memory an answer may take, how long a
 * connection may take, and what a port speaks; what is asked of a cluster is left to the clients'
 * owners.
 */
package io.phasewise.kafka;
