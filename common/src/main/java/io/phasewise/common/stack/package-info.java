/** What a local stack leaves for commands that neither start nor stop it. */
package io.phasewise.common.stack;
