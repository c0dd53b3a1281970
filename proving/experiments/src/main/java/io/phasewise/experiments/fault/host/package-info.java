/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What the machine does to a broker: its disk, its clock. */
package io.phasewise.experiments.fault.host;
