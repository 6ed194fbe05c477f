-- Deleting an app has a permission of its own. Keys that could do it can do it still.

UPDATE api_keys SET scopes = array_append(scopes, 'apps:delete')
WHERE 'apps:write' = ANY (scopes) AND NOT 'apps:delete' = ANY (scopes);
