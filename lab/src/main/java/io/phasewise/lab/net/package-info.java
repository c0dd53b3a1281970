/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Ports and readiness on the loopback interface: who may listen where, and whether somebody
 * answers.
 */
package io.phasewise.lab.net;
