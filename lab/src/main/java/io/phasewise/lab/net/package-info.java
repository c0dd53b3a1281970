/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Ports on the loopback interface: which are free, and whether a server answers.
 */
package io.phasewise.lab.net;
