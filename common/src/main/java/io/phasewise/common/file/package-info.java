/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Files that a configuration names: read within bounds, and read again when they change; and texts
 * in the jar.
 */
package io.phasewise.common.file;
