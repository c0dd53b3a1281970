/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Single threads of a process that a debugger halts. */
package io.phasewise.experiments.fault.debugger;
