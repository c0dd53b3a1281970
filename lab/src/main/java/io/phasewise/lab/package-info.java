/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Starts, watches and stops real servers: what the launcher and every integration test stand on.
 */
package io.phasewise.lab;
