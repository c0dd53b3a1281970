/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Hosts of one machine: processes with a network and with clocks of their own. */
package io.phasewise.lab.host;
